package io.cutover.backfill;

import io.cutover.kafka.TopicFreshStart;
import io.cutover.kinesis.KinesisAnswer;
import io.cutover.kinesis.StreamDescription;
import io.cutover.pin.Pin;
import io.cutover.pin.PinCheck;
import io.cutover.source.Admission;
import org.apache.flink.configuration.Configuration;

/**
 * What must hold when the copy begins anew, and no longer when it is taken up: by then T may have
 * passed the horizon, and the topic holds a part of the copy.
 */
final class BackfillAdmission implements Admission {

  private static final long serialVersionUID = 1L;

  private final Configuration config;
  private final Pin pin;
  private final TopicFreshStart topic;

  BackfillAdmission(Configuration config, Pin pin, TopicFreshStart topic) {
    this.config = config;
    this.pin = pin;
    this.topic = topic;
  }

  @Override
  public void beforeTasks(boolean anew) {
    if (anew) {
      topic.beforeTasks();
    }
  }

  @Override
  public String beforeFirstShard() {
    StreamDescription stream = KinesisAnswer.describe(config);
    PinCheck.stream(pin, stream);
    PinCheck.boundary(pin, stream);
    topic.beforeFirstShard();
    return "";
  }

  @Override
  public void afterRestore() {}

  @Override
  public void stillOn() {}

  @Override
  public void over() {}
}
