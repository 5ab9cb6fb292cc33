package io.cutover.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kafka.KafkaOptions.Key;
import io.cutover.kpl.Origin;
import io.cutover.kpl.UserRecord;
import java.util.Optional;
import java.util.OptionalInt;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;

class PartitionPropertyTest {

  @Property(tries = 1000)
  void partitionIsKafkasOwnOverTheFrozenCount(
      @ForAll @StringLength(max = 256) String key,
      @ForAll @IntRange(min = 1, max = 500) int count) {
    KafkaRecordMapper frozen = new KafkaRecordMapper("orders", count, Key.PARTITION_KEY, "pin");
    UserRecord record =
        new UserRecord(
            new Origin("shard", "1", OptionalInt.empty()),
            Optional.of(key),
            Optional.empty(),
            0,
            new byte[0]);
    assertThat(frozen.map(record).partition())
        .isEqualTo(BuiltInPartitioner.partitionForKey(key.getBytes(UTF_8), count));
  }
}
