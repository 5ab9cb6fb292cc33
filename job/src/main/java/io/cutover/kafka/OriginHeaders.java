package io.cutover.kafka;

import io.cutover.kpl.Origin;
import io.cutover.kpl.UserRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;

/** The headers that tell where a Kafka record came from. All values are UTF-8 text. */
public final class OriginHeaders {

  /** The id of the pin under which it was copied. */
  public static final String PIN = "cutover.pin";

  public static final String SHARD = "kinesis.shard";
  public static final String SEQUENCE = "kinesis.sequence";

  /** The index in its KPL aggregate; members only. */
  public static final String SUB_SEQUENCE = "kinesis.subsequence";

  /** Where the producer gave one and the server tells. */
  public static final String EXPLICIT_HASH_KEY = "kinesis.explicit-hash-key";

  private OriginHeaders() {}

  static List<Header> of(Header pin, UserRecord record) {
    Origin origin = record.origin();
    List<Header> headers = new ArrayList<>(5);
    headers.add(pin);
    headers.add(header(SHARD, origin.shardId()));
    headers.add(header(SEQUENCE, origin.sequenceNumber()));
    if (origin.subSequence().isPresent()) {
      headers.add(header(SUB_SEQUENCE, Integer.toString(origin.subSequence().getAsInt())));
    }
    record.explicitHashKey().ifPresent(key -> headers.add(header(EXPLICIT_HASH_KEY, key)));
    return headers;
  }

  static Header header(String name, String value) {
    return new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8));
  }

  /** The text of a header, where the record has it; one without a value counts as none. */
  public static Optional<String> text(Headers headers, String name) {
    return Optional.ofNullable(headers.lastHeader(name))
        .map(Header::value)
        .map(value -> new String(value, StandardCharsets.UTF_8));
  }
}
