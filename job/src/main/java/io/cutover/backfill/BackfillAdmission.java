package io.cutover.backfill;

import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.TopicFreshStart;
import io.cutover.kinesis.KinesisAnswer;
import io.cutover.kinesis.StreamDescription;
import io.cutover.pin.Pin;
import io.cutover.pin.PinCheck;
import io.cutover.source.Admission;
import java.util.List;

/**
 * What must hold when the copy begins anew, and no longer when it is taken up: by then T may have
 * passed the horizon, and the topic holds a part of the copy.
 */
final class BackfillAdmission implements Admission {

  private static final long serialVersionUID = 1L;

  private final CopyTerms terms;
  private final KafkaClientProperties kafka;

  BackfillAdmission(CopyTerms terms, KafkaClientProperties kafka) {
    this.terms = terms;
    this.kafka = kafka;
  }

  private TopicFreshStart topic() {
    Pin pin = terms.pin();
    return new TopicFreshStart(kafka, pin.topic().name(), pin.id(), terms.boundary());
  }

  @Override
  public void beforeTasks(boolean anew) {
    if (anew) {
      topic().beforeTasks();
    }
  }

  @Override
  public String beforeFirstShard() {
    StreamDescription stream = KinesisAnswer.describe(terms.config());
    PinCheck.stream(terms.pin(), stream);
    PinCheck.boundary(terms.pin(), stream);
    TopicFreshStart.Live live = topic().beforeFirstShard();
    return new StartFacts(live.count(), live.first(), List.of()).text();
  }

  @Override
  public void afterRestore() {
    Fatal.onRefusal(new StillPinned(terms, kafka));
  }

  @Override
  public void stillOn() {}

  @Override
  public void over() {}
}
