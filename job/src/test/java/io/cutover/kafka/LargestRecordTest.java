package io.cutover.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kpl.Origin;
import io.cutover.kpl.UserRecord;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.SimpleRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LargestRecordTest {

  /** The longest that Kinesis allows of everything, in a batch of its own. */
  @ParameterizedTest
  @EnumSource(CompressionType.class)
  void fitsTheLargestRecordWithEveryCodec(CompressionType codec) {
    byte[] noise = new byte[1024 * 1024];
    new Random(1).nextBytes(noise);
    UserRecord record =
        new UserRecord(
            new Origin("s".repeat(128), "9".repeat(129), OptionalInt.of(Integer.MAX_VALUE)),
            Optional.of("\uD83D\uDE00".repeat(256)),
            Optional.of("3".repeat(39)),
            1,
            noise);
    ProducerRecord<byte[], byte[]> mapped =
        new KafkaRecordMapper("orders", 4, KafkaOptions.Key.PARTITION_KEY, "910a8497894f28d2")
            .map(record);

    int bytes =
        MemoryRecords.withRecords(
                Compression.of(codec).build(),
                new SimpleRecord(
                    mapped.timestamp(), mapped.key(), mapped.value(), mapped.headers().toArray()))
            .sizeInBytes();

    assertThat(bytes).isGreaterThan(noise.length).isLessThan(new LargestRecord(1024).bytes());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1024, 10240})
  void producerIsNeverGivenLessThanKafkasDefaults(int kib) {
    LargestRecord largest = new LargestRecord(kib);
    long request = Long.parseLong(largest.settings().getProperty("max.request.size"));
    long buffer = Long.parseLong(largest.settings().getProperty("buffer.memory"));

    assertThat(request).isGreaterThanOrEqualTo(Math.max(1_048_576, largest.bytes()));
    assertThat(buffer).isGreaterThanOrEqualTo(Math.max(33_554_432, 4L * largest.bytes()));
  }
}
