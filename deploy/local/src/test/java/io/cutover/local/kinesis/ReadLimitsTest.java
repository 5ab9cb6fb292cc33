package io.cutover.local.kinesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.kinesis.model.ProvisionedThroughputExceededException;

class ReadLimitsTest extends EmulatorFixture {

  private final EmulatedStream stream = emulator.createStream(STREAM, 2);
  private final String one = stream.shards().get(0).id();
  private final String two = stream.shards().get(1).id();

  ReadLimitsTest() {
    super(KinesisEmulator.builder().awsLimits(true));
  }

  @Test
  void shardTakesFiveCallsASecond() {
    String iterator = horizon(one);
    for (int i = 0; i < 5; i++) {
      page(iterator);
    }
    assertThatThrownBy(() -> page(iterator))
        .isInstanceOf(ProvisionedThroughputExceededException.class);
    assertThatCode(() -> page(horizon(two))).doesNotThrowAnyException();
    emulator.clock().advance(Duration.ofSeconds(1));
    assertThatCode(() -> page(iterator)).doesNotThrowAnyException();
  }

  @Test
  void shardGivesTwoMebibytesASecond() {
    stream.put(one, PutSpec.of("k", new byte[2 << 20], NOW));
    String iterator = horizon(one);
    page(iterator);
    assertThatThrownBy(() -> page(iterator))
        .isInstanceOf(ProvisionedThroughputExceededException.class);
    emulator.clock().advance(Duration.ofMillis(1001));
    assertThatCode(() -> page(iterator)).doesNotThrowAnyException();
  }

  @Test
  void pageOfTenMebibytesIsPaidOffInFiveSeconds() {
    for (int i = 0; i < 10; i++) {
      stream.put(one, PutSpec.of("k", new byte[(1 << 20) - 1], NOW));
    }
    String iterator = horizon(one);
    assertThat(page(iterator).records()).hasSize(10);
    emulator.clock().advance(Duration.ofMillis(4990));
    assertThatThrownBy(() -> page(iterator))
        .isInstanceOf(ProvisionedThroughputExceededException.class);
    emulator.clock().advance(Duration.ofMillis(10));
    assertThatCode(() -> page(iterator)).doesNotThrowAnyException();
  }
}
