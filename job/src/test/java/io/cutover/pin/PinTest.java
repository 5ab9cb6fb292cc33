package io.cutover.pin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class PinTest {

  private static final String ARN = "arn:aws:kinesis:eu-west-1:123456789012:stream/orders";
  private static final Pin PIN = Pins.any();

  @Test
  void idIsTheSameInEachReleaseForEver() {
    assertThat(PIN.id()).isEqualTo("910a8497894f28d2");
  }

  @Test
  void streamTopicPartitionsAndBoundaryEachMakeAnotherId() {
    Pin.PinnedStream stream = PIN.stream();
    Pin.PinnedTopic topic = PIN.topic();
    assertThat(
            Set.of(
                PIN.id(),
                Pins.of(ARN + "2", "orders").id(),
                Pins.of(ARN, "orders2").id(),
                with(
                        new Pin.PinnedStream(
                            stream.name(),
                            ARN,
                            stream.createdAt().plusSeconds(1),
                            stream.mode(),
                            stream.distributionStrategy(),
                            stream.retention(),
                            stream.maxRecordSizeKiB()),
                        topic,
                        PIN.boundary())
                    .id(),
                with(stream, new Pin.PinnedTopic("orders", "b3RoZXI", 4), PIN.boundary()).id(),
                with(stream, new Pin.PinnedTopic("orders", topic.id(), 5), PIN.boundary()).id(),
                with(stream, topic, PIN.boundary().plusMillis(1)).id()))
        .hasSize(7);
  }

  @Test
  void whatOnlyDescribesTheMomentMakesNoOtherId() {
    Pin later =
        new Pin(
            PIN.pinnedAt().plusSeconds(60),
            PIN.boundary(),
            PIN.start().plusSeconds(60),
            PIN.windowStart().plusSeconds(60),
            Duration.ofMinutes(5),
            PIN.stream(),
            PIN.topic(),
            List.of(),
            List.of(),
            List.of());
    assertThat(later.id()).isEqualTo(PIN.id());
  }

  private static Pin with(Pin.PinnedStream stream, Pin.PinnedTopic topic, Instant boundary) {
    return new Pin(
        PIN.pinnedAt(),
        boundary,
        PIN.start(),
        PIN.windowStart(),
        PIN.tallyWindow(),
        stream,
        topic,
        PIN.shards(),
        PIN.openAtBoundary(),
        PIN.oldest());
  }

  @Test
  void headroomIsTheTimeLeftToTheOldestRecordOfAnyShard() {
    assertThat(PIN.headroom()).contains(Duration.ofHours(23).minusSeconds(60));
    Pin empty =
        new Pin(
            PIN.pinnedAt(),
            PIN.boundary(),
            PIN.start(),
            PIN.windowStart(),
            PIN.tallyWindow(),
            PIN.stream(),
            PIN.topic(),
            PIN.shards(),
            PIN.openAtBoundary(),
            List.of(new Pin.OldestArrival("shardId-000000000000", Optional.empty())));
    assertThat(empty.headroom()).isEmpty();
  }

  @Test
  void travelsWithAJobUnchanged() throws Exception {
    assertThat(InstantiationUtil.<Pin>clone(PIN)).isEqualTo(PIN);
  }
}
