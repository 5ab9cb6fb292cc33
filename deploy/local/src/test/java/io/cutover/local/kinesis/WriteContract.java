package io.cutover.local.kinesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.kinesis.model.InvalidArgumentException;
import software.amazon.awssdk.services.kinesis.model.KinesisException;
import software.amazon.awssdk.services.kinesis.model.PutRecordResponse;
import software.amazon.awssdk.services.kinesis.model.PutRecordsRequestEntry;
import software.amazon.awssdk.services.kinesis.model.PutRecordsResponse;
import software.amazon.awssdk.services.kinesis.model.Record;
import software.amazon.awssdk.services.kinesis.model.Shard;

/** The rules for writing. */
interface WriteContract {

  ContractServer server();

  private PutRecordResponse put(String stream, String key, byte[] data) {
    return server()
        .client()
        .putRecord(
            r -> r.streamName(stream).partitionKey(key).data(SdkBytes.fromByteArrayUnsafe(data)));
  }

  private static boolean owns(Shard shard, BigInteger hashKey) {
    return new BigInteger(shard.hashKeyRange().startingHashKey()).compareTo(hashKey) <= 0
        && new BigInteger(shard.hashKeyRange().endingHashKey()).compareTo(hashKey) >= 0;
  }

  @Test
  default void keyIsRoutedByItsMd5AsAnUnsignedNumber() throws Exception {
    String stream = server().createStream(4);
    List<Shard> shards = server().shards(stream);
    for (int i = 0; i < 20; i++) {
      String key = "ключ-" + i;
      byte[] md5 = MessageDigest.getInstance("MD5").digest(key.getBytes(StandardCharsets.UTF_8));
      String shardId = put(stream, key, new byte[1]).shardId();
      assertThat(shards)
          .filteredOn(s -> owns(s, new BigInteger(1, md5)))
          .extracting(Shard::shardId)
          .containsExactly(shardId);
    }
  }

  @Test
  default void explicitHashKeyOverridesTheKey() {
    String stream = server().createStream(2);
    for (Shard shard : server().shards(stream)) {
      PutRecordResponse put =
          server()
              .client()
              .putRecord(
                  r ->
                      r.streamName(stream)
                          .partitionKey("key")
                          .explicitHashKey(shard.hashKeyRange().endingHashKey())
                          .data(SdkBytes.fromUtf8String("x")));
      assertThat(put.shardId()).isEqualTo(shard.shardId());
    }
  }

  @Test
  default void hashKeyOf129BitsIsRefused() {
    String stream = server().createStream(1);
    assertThatThrownBy(
            () ->
                server()
                    .client()
                    .putRecord(
                        r ->
                            r.streamName(stream)
                                .partitionKey("key")
                                .explicitHashKey(BigInteger.ONE.shiftLeft(128).toString())
                                .data(SdkBytes.fromUtf8String("x"))))
        .isInstanceOf(InvalidArgumentException.class);
  }

  @Test
  default void sequenceNumbersRiseWithinAShard() {
    String stream = server().createStream(1);
    List<BigInteger> numbers =
        IntStream.range(0, 20)
            .mapToObj(i -> new BigInteger(server().put(stream, "x").sequenceNumber()))
            .toList();
    assertThat(numbers).isSorted().doesNotHaveDuplicates();
    assertThat(numbers.get(0).bitLength()).isGreaterThan(64);
  }

  @Test
  default void childrenNumberAboveTheirParent() {
    String stream = server().createStream(1);
    PutRecordResponse before = server().put(stream, "before");
    server().split(stream, before.shardId());
    PutRecordResponse after = server().put(stream, "after");
    assertThat(after.shardId()).isNotEqualTo(before.shardId());
    assertThat(new BigInteger(after.sequenceNumber()))
        .isGreaterThan(new BigInteger(before.sequenceNumber()));
  }

  @Test
  default void batchIsStoredInItsOrder() {
    String stream = server().createStream(1);
    List<String> texts = IntStream.range(0, 500).mapToObj(i -> "record " + i).toList();
    PutRecordsResponse put =
        server()
            .client()
            .putRecords(
                r ->
                    r.streamName(stream)
                        .records(
                            texts.stream()
                                .map(
                                    text ->
                                        PutRecordsRequestEntry.builder()
                                            .partitionKey(text)
                                            .data(SdkBytes.fromUtf8String(text))
                                            .build())
                                .toList()));
    assertThat(put.failedRecordCount()).isZero();
    List<Record> read = server().readAll(stream, put.records().get(0).shardId());
    assertThat(ContractServer.texts(read)).isEqualTo(texts);
    assertThat(read)
        .extracting(Record::sequenceNumber)
        .isEqualTo(put.records().stream().map(entry -> entry.sequenceNumber()).toList());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 23, 24, 255, 256, 65_535, 65_536, 1 << 20})
  default void dataComesBackByteForByte(int length) {
    String stream = server().createStream(1);
    byte[] data = new byte[length];
    IntStream.range(0, length).forEach(i -> data[i] = (byte) (i * 31 + i / 256));
    List<Record> read = server().readAll(stream, put(stream, "key", data).shardId());
    assertThat(read).hasSize(1);
    assertThat(Arrays.equals(read.get(0).data().asByteArrayUnsafe(), data)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"k", "žluťoučký kůň", "鍵\uD83D\uDD11", "long"})
  default void keyComesBackAsWritten(String text) {
    String stream = server().createStream(1);
    String key = text.equals("long") ? "k".repeat(256) : text;
    List<Record> read = server().readAll(stream, put(stream, key, new byte[1]).shardId());
    assertThat(read).extracting(Record::partitionKey).containsExactly(key);
  }

  @Test
  default void whatIsTooLargeIsRefused() {
    String stream = server().createStream(1);
    assertThatThrownBy(() -> put(stream, "key", new byte[(1 << 20) + 1]))
        .isInstanceOf(KinesisException.class);
    assertThatThrownBy(() -> put(stream, "k".repeat(257), new byte[1]))
        .isInstanceOf(KinesisException.class);
    assertThatThrownBy(() -> put(stream, "", new byte[1])).isInstanceOf(KinesisException.class);
  }
}
