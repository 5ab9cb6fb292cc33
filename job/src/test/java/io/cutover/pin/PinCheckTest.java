package io.cutover.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.config.PinOptions;
import io.cutover.kafka.KafkaOptions;
import io.cutover.kafka.TopicDescription;
import io.cutover.kinesis.KinesisOptions;
import io.cutover.kinesis.StreamDescription;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class PinCheckTest {

  private static final Pin PIN = Pins.resharded();

  private static Configuration sameInputs() {
    Configuration config = new Configuration();
    config.set(KinesisOptions.STREAM, PIN.stream().arn());
    config.set(KafkaOptions.TOPIC, PIN.topic().name());
    config.set(PinOptions.BOUNDARY, PIN.boundary().toString());
    config.set(PinOptions.WINDOW_HOURS, 2);
    config.set(PinOptions.TALLY_WINDOW, PIN.tallyWindow());
    return config;
  }

  private static StreamDescription stream(String arn, Instant createdAt, Instant serverTime) {
    return new StreamDescription(
        "orders",
        arn,
        "ACTIVE",
        createdAt,
        PIN.stream().retention(),
        Optional.empty(),
        Optional.empty(),
        1024,
        serverTime);
  }

  private static StreamDescription streamAt(Instant serverTime) {
    return stream(PIN.stream().arn(), PIN.stream().createdAt(), serverTime);
  }

  private static AbstractThrowableAssert<?, Refusal> assertRefused(
      Reason reason, ThrowingCallable check) {
    Refusal refusal = catchThrowableOfType(Refusal.class, check);
    assertThat(refusal).as("nothing was refused").isNotNull();
    assertThat(refusal.reason()).isEqualTo(reason);
    return assertThat(refusal);
  }

  // ---- the configuration

  @Test
  void sameInputsPass() {
    assertThatCode(() -> PinCheck.inputs(PIN, sameInputs())).doesNotThrowAnyException();
  }

  @Test
  void whatTheConfigurationLeavesOpenIsThePins() {
    Configuration config = new Configuration();
    config.set(KinesisOptions.STREAM, PIN.stream().name());
    config.set(KafkaOptions.TOPIC, PIN.topic().name());
    assertThatCode(() -> PinCheck.inputs(PIN, config)).doesNotThrowAnyException();
  }

  @Test
  void windowThatReachesBehindTheStartIsTheWholeSpanHoweverLong() {
    Pin whole = Pins.any();
    Configuration config = new Configuration();
    config.set(KinesisOptions.STREAM, "orders");
    config.set(KafkaOptions.TOPIC, "orders");
    for (int hours : new int[] {24, 25, Integer.MAX_VALUE}) {
      config.set(PinOptions.WINDOW_HOURS, hours);
      assertThatCode(() -> PinCheck.inputs(whole, config)).doesNotThrowAnyException();
    }
    config.set(PinOptions.WINDOW_HOURS, 23);
    assertRefused(Reason.PIN_DIFFERS, () -> PinCheck.inputs(whole, config));
  }

  @Test
  void everyDifferenceIsNamedAtOnceWithBothValues() {
    Configuration config = sameInputs();
    config.set(KinesisOptions.STREAM, "payments");
    config.set(KafkaOptions.TOPIC, "payments-topic");
    config.set(PinOptions.BOUNDARY, PIN.boundary().plusMillis(1).toString());
    config.set(PinOptions.WINDOW_HOURS, 1);
    config.set(PinOptions.TALLY_WINDOW, Duration.ofMinutes(31));
    assertRefused(Reason.PIN_DIFFERS, () -> PinCheck.inputs(PIN, config))
        .hasMessageContaining(PIN.id())
        .hasMessageContaining("kinesis.stream is payments, pinned is " + PIN.stream().arn())
        .hasMessageContaining("kafka.topic is payments-topic, pinned is orders")
        .hasMessageContaining(
            "pin.boundary is " + PIN.boundary().plusMillis(1) + ", pinned is " + PIN.boundary())
        .hasMessageContaining(
            "pin.window-hours makes the window begin at " + PIN.boundary().minusSeconds(3600))
        .hasMessageContaining("tally.window is PT31M, pinned is PT30M")
        .hasMessageContaining("cutover.dir");
  }

  @Test
  void differenceStandsAlone() {
    Configuration config = sameInputs();
    config.set(KafkaOptions.TOPIC, "other");
    assertRefused(Reason.PIN_DIFFERS, () -> PinCheck.inputs(PIN, config))
        .hasMessageContaining("kafka.topic is other")
        .hasMessageNotContainingAny("kinesis.stream", "pin.boundary", "pin.window", "tally.window");
  }

  // ---- the stream

  @Test
  void pinnedStreamPasses() {
    assertThatCode(() -> PinCheck.stream(PIN, streamAt(PIN.pinnedAt()))).doesNotThrowAnyException();
  }

  @Test
  void streamThatWasCreatedAgainIsRefused() {
    Instant later = PIN.stream().createdAt().plusMillis(1);
    StreamDescription again = stream(PIN.stream().arn(), later, PIN.pinnedAt());
    assertRefused(Reason.STREAM_RECREATED, () -> PinCheck.stream(PIN, again))
        .hasMessageContaining(later.toString())
        .hasMessageContaining(PIN.stream().createdAt().toString())
        .hasMessageContaining("another cutover.dir");
  }

  @Test
  void streamOfThatNameInAnotherAccountIsNotTakenForOneThatWasCreatedAgain() {
    String arn = PIN.stream().arn().replace("123456789012", "210987654321");
    StreamDescription other = stream(arn, PIN.stream().createdAt(), PIN.pinnedAt());
    assertRefused(Reason.PIN_DIFFERS, () -> PinCheck.stream(PIN, other))
        .hasMessageContaining(arn)
        .hasMessageContaining(PIN.stream().arn());
  }

  @Test
  void boundaryHoldsUntilTheHorizonReachesIt() {
    Instant reached = PIN.boundary().plus(PIN.stream().retention());
    assertThatCode(() -> PinCheck.boundary(PIN, streamAt(reached.minusMillis(1))))
        .doesNotThrowAnyException();
    assertRefused(Reason.BOUNDARY_EXPIRED, () -> PinCheck.boundary(PIN, streamAt(reached)))
        .hasMessageContaining(PIN.boundary().toString())
        .hasMessageContaining("raise its retention");
  }

  @Test
  void headroomShrinksWithTheServersClockAndGrowsWithTheRetention() {
    Instant oldest = PIN.oldest().get(0).arrival().orElseThrow();
    Instant now = oldest.plus(PIN.stream().retention()).minus(Duration.ofHours(5));
    assertThat(PinCheck.headroom(PIN, streamAt(now))).contains(Duration.ofHours(5));
    assertThat(PinCheck.headroom(PIN, streamAt(now.plusSeconds(21_600))))
        .contains(Duration.ofHours(-1));
  }

  // ---- the topic

  @Test
  void pinnedTopicPasses() {
    TopicDescription topic = new TopicDescription("orders", PIN.topic().id(), 4);
    assertThatCode(
            () -> {
              PinCheck.topic(PIN, topic);
              PinCheck.partitions(PIN, topic);
            })
        .doesNotThrowAnyException();
  }

  @Test
  void topicThatWasCreatedAgainIsRefused() {
    TopicDescription again = new TopicDescription("orders", "b3RoZXI", 4);
    assertRefused(Reason.TOPIC_RECREATED, () -> PinCheck.topic(PIN, again))
        .hasMessageContaining("b3RoZXI")
        .hasMessageContaining(PIN.topic().id());
  }

  @Test
  void topicThatTookMorePartitionsIsRefused() {
    TopicDescription more = new TopicDescription("orders", PIN.topic().id(), 5);
    assertRefused(Reason.TOPIC_REPARTITIONED, () -> PinCheck.partitions(PIN, more))
        .hasMessageContaining("has 5 partitions, but 4 were frozen");
  }

  // ---- the way out

  @Test
  void retentionIsRaisedByWhatIsWantedAndADayToSpare() {
    Pin.PinnedStream stream = PIN.stream();
    Duration half = Duration.ofHours(12);
    assertThat(Retention.raise(stream, Duration.ofHours(5), half))
        .isEqualTo(
            "aws kinesis increase-stream-retention-period --stream-arn "
                + stream.arn()
                + " --retention-period-hours 199");
    assertThat(Retention.raise(stream, Duration.ofHours(5).minusMillis(1), half)).endsWith(" 200");
    assertThat(Retention.raise(stream, Duration.ZERO, Duration.ofHours(9000))).endsWith(" 8760");
  }
}
