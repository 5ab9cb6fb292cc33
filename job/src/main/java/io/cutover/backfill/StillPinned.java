package io.cutover.backfill;

import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.Topic;
import io.cutover.kinesis.KinesisAnswer;
import io.cutover.pin.PinCheck;
import java.io.Serializable;

/**
 * Asks both servers whether stream and topic are the pinned ones: one that was made anew in the
 * meantime would let a part of the copy pass for the whole.
 */
record StillPinned(CopyTerms terms, KafkaClientProperties kafka) implements Runnable, Serializable {

  /**
   * @throws io.cutover.Refusal when one is another, or does not answer
   */
  @Override
  public void run() {
    PinCheck.stream(terms.pin(), KinesisAnswer.describe(terms.config()));
    PinCheck.topic(terms.pin(), Topic.describe(kafka, terms.pin().topic().name()));
  }
}
