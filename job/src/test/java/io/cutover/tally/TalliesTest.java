package io.cutover.tally;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

class TalliesTest {

  private record Given(String shard, long window, String sequence, byte[] value) {}

  private static List<Given> records(Random random) {
    List<Given> records = new ArrayList<>();
    int count = random.nextInt(200);
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[random.nextInt(20)];
      random.nextBytes(value);
      records.add(
          new Given(
              "shard-" + random.nextInt(3),
              random.nextInt(4) - 3,
              new BigInteger(random.nextInt(3) == 0 ? 4 : 180, random).toString(),
              value));
    }
    return records;
  }

  private static void add(Tallies tallies, RecordDigest digest, Given record) {
    digest.take(
        record.shard(),
        record.sequence(),
        OptionalInt.empty(),
        Optional.empty(),
        record.window(),
        Optional.of(record.value()));
    tallies.add(record.shard(), record.window(), record.sequence(), record.value().length, digest);
  }

  private static Tallies of(List<Given> records) {
    Tallies tallies = new Tallies();
    RecordDigest digest = new RecordDigest("pin");
    records.forEach(record -> add(tallies, digest, record));
    return tallies;
  }

  /** By plain big integers. */
  private static void assertAddsUp(Tallies tallies, List<Given> records) {
    RecordDigest digest = new RecordDigest("pin");
    tallies
        .byShard()
        .forEach(
            (shard, windows) ->
                windows.forEach(
                    (window, tally) -> {
                      BigInteger sum = BigInteger.ZERO;
                      List<BigInteger> sequences = new ArrayList<>();
                      long bytes = 0;
                      for (Given record : records) {
                        if (record.shard().equals(shard) && record.window() == window) {
                          add(new Tallies(), digest, record);
                          sum =
                              sum.add(
                                  new BigInteger(
                                      "%016x%016x".formatted(digest.high(), digest.low()), 16));
                          sequences.add(new BigInteger(record.sequence()));
                          bytes += record.value().length;
                        }
                      }
                      assertThat(tally.count()).isEqualTo(sequences.size());
                      assertThat(tally.bytes()).isEqualTo(bytes);
                      assertThat(new BigInteger(tally.digest(), 16))
                          .isEqualTo(sum.mod(BigInteger.ONE.shiftLeft(128)));
                      assertThat(tally.lowest()).isEqualTo(Collections.min(sequences).toString());
                      assertThat(tally.highest()).isEqualTo(Collections.max(sequences).toString());
                    }));
  }

  @Property(tries = 300)
  void tallyIsTheSumOfItsRecordsInWhateverOrder(@ForAll long seed) {
    Random random = new Random(seed);
    List<Given> records = records(random);
    Tallies tallies = of(records);
    assertAddsUp(tallies, records);
    assertThat(
            tallies.byShard().values().stream()
                .flatMap(windows -> windows.values().stream())
                .mapToLong(Tally::count)
                .sum())
        .isEqualTo(records.size());
    Collections.shuffle(records, random);
    assertThat(of(records)).isEqualTo(tallies);
  }

  @Property(tries = 300)
  void partsAddUpToTheWholeAndTravel(@ForAll long seed, @ForAll @IntRange(max = 200) int cut)
      throws IOException {
    List<Given> records = records(new Random(seed));
    int at = Math.min(cut, records.size());
    Tallies parts = travelled(of(records.subList(0, at)));
    parts.addAll(of(records.subList(at, records.size())));
    assertThat(parts).isEqualTo(of(records));
  }

  @Property(tries = 300)
  void readingOnBehindATallyThatTravelledComesToTheSame(
      @ForAll long seed, @ForAll @IntRange(max = 200) int cut) throws IOException {
    List<Given> records = records(new Random(seed));
    int at = Math.min(cut, records.size());
    Tallies restored = travelled(of(records.subList(0, at)));
    RecordDigest digest = new RecordDigest("pin");
    records.subList(at, records.size()).forEach(record -> add(restored, digest, record));
    assertThat(restored).isEqualTo(of(records));
  }

  private static Tallies travelled(Tallies tallies) throws IOException {
    Tallies back = new Tallies();
    for (var shard : tallies.byShard().entrySet()) {
      DataOutputSerializer out = new DataOutputSerializer(64);
      Tallies.write(out, shard.getKey(), shard.getValue());
      back.read(new DataInputDeserializer(out.getCopyOfBuffer()));
    }
    return back;
  }

  /** Where one is lost and another is doubled, a count and an XOR may agree; the sum does not. */
  @Property(tries = 100)
  void lostAndDoubledDoNotCancel(@ForAll long seed) {
    Random random = new Random(seed);
    List<Given> records = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      records.add(new Given("shard", -1, Integer.toString(100 + i), new byte[] {1}));
    }
    Tallies right = of(records);
    List<Given> wrong = new ArrayList<>(records);
    Given lost = wrong.remove(random.nextInt(8) + 1); // neither the lowest nor the highest
    wrong.add(wrong.get(random.nextInt(wrong.size())));
    assertThat(of(wrong).byShard().get("shard").get(-1L).count()).isEqualTo(10);
    assertThat(of(wrong)).as("without %s", lost.sequence()).isNotEqualTo(right);
  }

  @Example
  void sequencesCompareAsNumbers() {
    assertThat(Tally.compareSequences("9", "10")).isNegative();
    assertThat(Tally.compareSequences("10", "9")).isPositive();
    assertThat(Tally.compareSequences("009", "10")).isNegative();
    assertThat(Tally.compareSequences("0", "0")).isZero();
    assertThat(Tally.compareSequences("123", "124")).isNegative();
  }

  @Example
  void otherVersionOfTheStateIsRefused() throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    Tallies.write(out, "shard", new java.util.TreeMap<>());
    byte[] bytes = out.getCopyOfBuffer();
    bytes[0] = 2;
    assertThatThrownBy(() -> new Tallies().read(new DataInputDeserializer(bytes)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("version 2");
  }
}
