package io.cutover.backfill;

import io.cutover.Refusal;
import io.cutover.kafka.TopicFreshStart;
import io.cutover.kinesis.KinesisStream;
import io.cutover.kinesis.StreamDescription;
import io.cutover.pin.Boundary;
import io.cutover.source.FreshStart;
import java.time.Instant;
import org.apache.flink.configuration.Configuration;

/**
 * What must hold when the copy begins anew, and no longer when it is taken up: by then T may have
 * passed the horizon, and the topic holds a part of the copy.
 */
final class BackfillFreshStart implements FreshStart {

  private static final long serialVersionUID = 1L;
  private static final int CALLS = 1;

  private final Configuration config;
  private final Boundary boundary;
  private final TopicFreshStart topic;

  BackfillFreshStart(Configuration config, Boundary boundary, TopicFreshStart topic) {
    this.config = config;
    this.boundary = boundary;
    this.topic = topic;
  }

  @Override
  public void beforeTasks() {
    topic.beforeTasks();
  }

  @Override
  public void beforeFirstShard() {
    try (KinesisStream stream = new KinesisStream(config, CALLS)) {
      StreamDescription description = stream.describe();
      Instant horizon = description.serverTime().minus(description.retention());
      if (!boundary.t().isAfter(horizon)) {
        throw new Refusal(
            "T is "
                + boundary.t()
                + ", but stream "
                + description.name()
                + " retains nothing from before "
                + horizon
                + ": pin a later T");
      }
    }
    topic.beforeFirstShard();
  }
}
