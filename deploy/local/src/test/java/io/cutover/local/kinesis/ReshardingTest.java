package io.cutover.local.kinesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReshardingTest {

  private static final Instant NOW = Instant.parse("2030-06-01T12:00:00Z");

  private final EmulatedStream stream = new EmulatedStream("s", 2, NOW, new EmulatorClock());

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void openShardsTileTheHashKeysAfterAnyResharding(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 40; i++) {
      List<EmulatedShard> open = byStart();
      int at = random.nextInt(open.size());
      if (random.nextBoolean() || at == open.size() - 1) {
        stream.split(open.get(at).id());
      } else {
        stream.merge(open.get(at).id(), open.get(at + 1).id());
      }
    }
    BigInteger next = BigInteger.ZERO;
    for (EmulatedShard shard : byStart()) {
      assertThat(shard.start()).isEqualTo(next);
      next = shard.end().add(BigInteger.ONE);
    }
    assertThat(next).isEqualTo(BigInteger.ONE.shiftLeft(128));
    assertThat(stream.shards())
        .filteredOn(shard -> shard.parent().isPresent())
        .allSatisfy(this::standsAboveItsParents);
  }

  private void standsAboveItsParents(EmulatedShard child) {
    List<String> parents =
        child
            .adjacentParent()
            .map(adjacent -> List.of(child.parent().orElseThrow(), adjacent))
            .orElseGet(() -> List.of(child.parent().orElseThrow()));
    for (String parent : parents) {
      assertThat(new BigInteger(child.startingSequenceNumber()))
          .isGreaterThan(new BigInteger(stream.shard(parent).endingSequenceNumber().orElseThrow()));
    }
  }

  private List<EmulatedShard> byStart() {
    return stream.openShards().stream().sorted(Comparator.comparing(EmulatedShard::start)).toList();
  }

  @Test
  void reshardingCanBeDated() {
    Instant then = NOW.minusSeconds(3600);
    EmulatedShard parent = stream.shards().get(0);
    List<EmulatedShard> children = stream.split(parent.id(), then);
    assertThat(parent.closedAt()).contains(then);
    assertThat(children).allSatisfy(child -> assertThat(child.createdAt()).isEqualTo(then));
    EmulatedShard merged = stream.merge(children.get(1).id(), children.get(0).id(), NOW);
    assertThat(merged.parent()).contains(children.get(1).id());
    assertThat(merged.adjacentParent()).contains(children.get(0).id());
    assertThat(merged.start()).isEqualTo(parent.start());
    assertThat(merged.end()).isEqualTo(parent.end());
  }

  @Test
  void closedShardTakesNothing() {
    String id = stream.shards().get(0).id();
    stream.split(id);
    assertThatThrownBy(() -> stream.put(id, PutSpec.of("k", new byte[0], NOW)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(id);
  }

  @Test
  void sequenceNumbersAreTakenAsNumbers() {
    assertThat(SequenceNumber.ORDER.compare("9", "10")).isNegative();
    assertThat(SequenceNumber.of(1, 0)).hasSize(56);
    assertThatThrownBy(() -> SequenceNumber.parse("-1")).isInstanceOf(KinesisError.class);
  }
}
