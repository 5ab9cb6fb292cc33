package io.cutover.reconcile.side;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.kpl.Origin;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class TopicRecordSerializerTest {

  private static final TopicRecordSerializer SERIALIZER = new TopicRecordSerializer();

  @Property
  void whatWasWrittenIsReadAgain(@ForAll("records") TopicRecord record) throws IOException {
    TopicRecord read = SERIALIZER.deserialize(1, SERIALIZER.serialize(record));
    assertThat(read).usingRecursiveComparison().ignoringFields("key", "value").isEqualTo(record);
    assertThat(read.origin()).isEqualTo(record.origin());
    assertSame(read.key(), record.key());
    assertSame(read.value(), record.value());
  }

  private static void assertSame(Optional<byte[]> read, Optional<byte[]> written) {
    assertThat(read.isPresent()).isEqualTo(written.isPresent());
    assertThat(read.map(Arrays::toString)).isEqualTo(written.map(Arrays::toString));
  }

  @Provide
  Arbitrary<TopicRecord> records() {
    Arbitrary<Optional<byte[]>> bytes =
        Arbitraries.bytes().array(byte[].class).ofMaxSize(600).optional();
    Arbitrary<Optional<String>> pins = Arbitraries.strings().ofMaxLength(20).optional();
    Arbitrary<Optional<Origin>> origins =
        Combinators.combine(
                Arbitraries.strings().alpha().ofMaxLength(130),
                Arbitraries.strings().numeric().ofMinLength(1).ofMaxLength(130),
                Arbitraries.integers().greaterOrEqual(0).optional())
            .as(
                (shard, sequence, sub) ->
                    new Origin(
                        shard, sequence, sub.map(OptionalInt::of).orElseGet(OptionalInt::empty)))
            .optional();
    return Combinators.combine(
            Arbitraries.integers().greaterOrEqual(0),
            Arbitraries.longs(),
            Arbitraries.longs(),
            Arbitraries.of(true, false),
            bytes,
            bytes,
            pins,
            origins)
        .as(TopicRecord::new);
  }

  @Test
  void recordThatWasCutShortIsRefused() throws IOException {
    byte[] whole =
        SERIALIZER.serialize(
            new TopicRecord(
                1,
                2,
                3,
                true,
                Optional.of(new byte[10]),
                Optional.of(new byte[100]),
                Optional.empty(),
                Optional.empty()));
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> SERIALIZER.deserialize(1, cut)).isInstanceOf(EOFException.class);
    }
  }
}
