package io.cutover.pin;

import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.config.CutoverConfig;
import io.cutover.config.PinOptions;
import io.cutover.kafka.KafkaOptions;
import io.cutover.kafka.TopicDescription;
import io.cutover.kinesis.KinesisOptions;
import io.cutover.kinesis.StreamDescription;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** Whether a pin still holds: for the configuration, the stream and the topic. */
public final class PinCheck {

  private PinCheck() {}

  /**
   * Holds what the configuration states against the pin; what it leaves open is the pin's.
   *
   * @throws Refusal that names every difference
   */
  public static void inputs(Pin pin, Configuration config) {
    List<String> differences = new ArrayList<>();
    String stream = CutoverConfig.required(config, KinesisOptions.STREAM);
    if (!stream.equals(pin.stream().arn()) && !stream.equals(pin.stream().name())) {
      differences.add(
          KinesisOptions.STREAM.key() + " is " + stream + ", pinned is " + pin.stream().arn());
    }
    String topic = CutoverConfig.required(config, KafkaOptions.TOPIC);
    if (!topic.equals(pin.topic().name())) {
      differences.add(
          KafkaOptions.TOPIC.key() + " is " + topic + ", pinned is " + pin.topic().name());
    }
    CutoverConfig.instantIfSet(config, PinOptions.BOUNDARY)
        .filter(t -> !t.equals(pin.boundary()))
        .ifPresent(
            t ->
                differences.add(
                    PinOptions.BOUNDARY.key() + " is " + t + ", pinned is " + pin.boundary()));
    config
        .getOptional(PinOptions.WINDOW_HOURS)
        .map(hours -> windowStart(config, pin.boundary(), pin.start()))
        .filter(start -> !start.equals(pin.windowStart()))
        .ifPresent(
            start ->
                differences.add(
                    PinOptions.WINDOW_HOURS.key()
                        + " makes the window begin at "
                        + start
                        + ", pinned is "
                        + pin.windowStart()));
    config
        .getOptional(PinOptions.TALLY_WINDOW)
        .filter(window -> !window.equals(pin.tallyWindow()))
        .ifPresent(
            window ->
                differences.add(
                    PinOptions.TALLY_WINDOW.key()
                        + " is "
                        + window
                        + ", pinned is "
                        + pin.tallyWindow()));
    if (!differences.isEmpty()) {
      throw new Refusal(
          Reason.PIN_DIFFERS,
          "the configuration is not that of pin "
              + pin.id()
              + ": "
              + String.join("; ", differences)
              + ". A pin never changes: set back what differs, or give another cutover a cutover.dir"
              + " of its own");
    }
  }

  /** Where the window begins: at most so long before T as the option says, not before the start. */
  static Instant windowStart(Configuration config, Instant boundary, Instant start) {
    return config
        .getOptional(PinOptions.WINDOW_HOURS)
        .map(hours -> boundary.minus(Duration.ofHours(hours)))
        .filter(narrowed -> narrowed.isAfter(start))
        .orElse(start);
  }

  /**
   * @throws Refusal when it is not the pinned stream any more
   */
  public static void stream(Pin pin, StreamDescription stream) {
    if (!stream.arn().equals(pin.stream().arn())) {
      throw new Refusal(
          Reason.PIN_DIFFERS,
          "the credentials and the region lead to stream "
              + stream.arn()
              + ", but pinned is "
              + pin.stream().arn()
              + ": name the stream by its ARN in "
              + KinesisOptions.STREAM.key()
              + ", and use credentials of its account");
    }
    if (!stream.createdAt().equals(pin.stream().createdAt())) {
      throw new Refusal(
          Reason.STREAM_RECREATED,
          "stream "
              + stream.arn()
              + " was created at "
              + stream.createdAt()
              + ", but the pinned one "
              + pin.stream().arn()
              + " at "
              + pin.stream().createdAt()
              + ": it was deleted and created again, and its history is gone. To copy the new"
              + " stream, pin it into another cutover.dir and another topic");
    }
  }

  /**
   * @throws Refusal when it is not the pinned topic any more
   */
  public static void topic(Pin pin, TopicDescription topic) {
    if (!topic.id().equals(pin.topic().id())) {
      throw new Refusal(
          Reason.TOPIC_RECREATED,
          "topic "
              + topic.name()
              + " has id "
              + topic.id()
              + ", but the pinned one "
              + pin.topic().id()
              + ": it was deleted and created again, and what had been copied is gone. Pin anew,"
              + " with another cutover.dir");
    }
  }

  /**
   * @throws Refusal when the topic's partitions are not as many as were frozen
   */
  public static void partitions(Pin pin, TopicDescription topic) {
    if (topic.partitions() != pin.topic().partitions()) {
      throw new Refusal(
          Reason.TOPIC_REPARTITIONED,
          "topic "
              + topic.name()
              + " has "
              + topic.partitions()
              + " partitions, but "
              + pin.topic().partitions()
              + " were frozen: producers spread the keys over more than the copy does, so a key's"
              + " records would part. Create a topic with the count that it shall keep, and pin"
              + " anew with another cutover.dir");
    }
  }

  /**
   * @throws Refusal when T has aged past the trim horizon
   */
  public static void boundary(Pin pin, StreamDescription stream) {
    Instant horizon = stream.horizon();
    if (!pin.boundary().isAfter(horizon)) {
      throw new Refusal(
          Reason.BOUNDARY_EXPIRED,
          "T is "
              + pin.boundary()
              + ", but stream "
              + stream.name()
              + " retains nothing from before "
              + horizon
              + " any more: raise its retention before pinning, and pin anew with another"
              + " cutover.dir");
    }
  }

  /**
   * @throws Refusal when the stream keeps its records for less long than it was pinned with
   */
  public static void retention(Pin pin, StreamDescription stream) {
    Duration pinned = pin.stream().retention();
    if (stream.retention().compareTo(pinned) < 0) {
      throw new Refusal(
          Reason.RETENTION_LOWERED,
          "stream "
              + stream.name()
              + " keeps its records for "
              + stream.retention()
              + ", but was pinned with "
              + pinned
              + ": records expire before the copy expects it. Raise the retention again, pin anew"
              + " with another cutover.dir and an empty topic, and begin again");
    }
  }

  /** The headroom that a pin of this moment would have, from the pinned oldest arrivals. */
  public static Optional<Duration> headroom(Pin pin, StreamDescription stream) {
    return pin.oldestArrival().map(arrival -> Duration.between(stream.horizon(), arrival));
  }
}
