package io.cutover.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cutover.reconcile.Truth.Part;
import io.cutover.reconcile.Truth.Place;
import io.cutover.reconcile.Truth.Window;
import io.cutover.rig.Producer.Written;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.header.Header;

/**
 * Says what a reconciliation must find, from what was written to the stream and what a plain
 * consumer finds in the topic: plain loops that share no code with the jobs.
 *
 * <p>It knows of the two sides only. Whether they can be read, and whether all of them is, is not
 * its to say.
 */
final class VerdictOracle {

  private final TruthTerms terms;
  private final Map<String, Written> stream = new LinkedHashMap<>();
  private final Map<String, List<ConsumerRecord<byte[], byte[]>>> topic = new LinkedHashMap<>();
  private final SortedMap<Instant, Window> windows = new TreeMap<>();
  private final SortedSet<String> missing = new TreeSet<>();
  private final SortedSet<String> straggled = new TreeSet<>();
  private final SortedSet<String> extra = new TreeSet<>();
  private final SortedMap<String, Integer> doubled = new TreeMap<>();
  private final SortedMap<String, Set<Part>> altered = new TreeMap<>();
  private final List<Place> withoutOrigin = new ArrayList<>();
  private final List<Place> ofAnotherPin = new ArrayList<>();
  private final List<Place> misplaced = new ArrayList<>();
  private long copiedOutside;
  private long foreignOutside;

  private VerdictOracle(TruthTerms terms) {
    this.terms = terms;
  }

  /**
   * @param written everything that was written to the stream
   * @param contents all committed records of the topic; each partition's in offset order
   */
  static Truth of(
      TruthTerms terms, List<Written> written, List<ConsumerRecord<byte[], byte[]>> contents) {
    VerdictOracle oracle = new VerdictOracle(terms);
    oracle.takeStream(written);
    oracle.takeTopic(contents);
    oracle.compare();
    return oracle.truth(new OrderOracle(terms).disordered(contents));
  }

  private void takeStream(List<Written> written) {
    for (Written record : written) {
      if (terms.compares(record.arrival())) {
        stream.put(record.origin(), record);
        Window window = window(record.arrival());
        put(
            record.arrival(),
            new Window(
                window.kinesis().plus(record.data().length),
                window.kafka(),
                window.missing(),
                window.extra()));
      }
    }
  }

  private void takeTopic(List<ConsumerRecord<byte[], byte[]>> contents) {
    for (ConsumerRecord<byte[], byte[]> record : contents) {
      Instant timestamp = Instant.ofEpochMilli(record.timestamp());
      boolean inside = terms.compares(timestamp);
      Optional<String> origin = origin(record);
      if (origin.isPresent() && isOf(terms.pinId(), record)) {
        takeCopied(record, origin.get(), timestamp, inside);
      } else if (!inside) {
        foreignOutside++;
      } else if (origin.isPresent() && header(record, "cutover.pin").isPresent()) {
        ofAnotherPin.add(place(record));
      } else {
        withoutOrigin.add(place(record));
      }
    }
  }

  private void takeCopied(
      ConsumerRecord<byte[], byte[]> record, String origin, Instant timestamp, boolean inside) {
    topic.computeIfAbsent(origin, o -> new ArrayList<>()).add(record);
    if (isMisplaced(record)) {
      misplaced.add(place(record));
    }
    if (!inside) {
      copiedOutside++;
      return;
    }
    Window window = window(timestamp);
    put(
        timestamp,
        new Window(
            window.kinesis(),
            window.kafka().plus(record.value() == null ? 0 : record.value().length),
            window.missing(),
            window.extra()));
  }

  private Window window(Instant instant) {
    return windows.getOrDefault(terms.windowOf(instant), Window.EMPTY);
  }

  private void put(Instant instant, Window window) {
    windows.put(terms.windowOf(instant), window);
  }

  private void compare() {
    for (Written record : stream.values()) {
      List<ConsumerRecord<byte[], byte[]>> copies = topic.getOrDefault(record.origin(), List.of());
      Set<Part> parts = EnumSet.noneOf(Part.class);
      copies.forEach(copy -> parts.addAll(altered(record, copy)));
      if (copies.isEmpty()) {
        (terms.behindTheStop().contains(record.origin()) ? straggled : missing)
            .add(record.origin());
        differs(record.arrival(), 1, 0);
      } else if (!parts.isEmpty()) {
        altered.put(record.origin(), parts);
      } else if (copies.size() > 1) {
        doubled.put(record.origin(), copies.size());
        differs(record.arrival(), 0, copies.size() - 1);
      }
    }
    for (var claimed : topic.entrySet()) {
      if (!stream.containsKey(claimed.getKey())) {
        claimed.getValue().forEach(record -> takeExtra(claimed.getKey(), record));
      }
    }
  }

  private void takeExtra(String origin, ConsumerRecord<byte[], byte[]> record) {
    Instant timestamp = Instant.ofEpochMilli(record.timestamp());
    if (terms.compares(timestamp)) {
      extra.add(origin);
      differs(timestamp, 0, 1);
    }
  }

  private void differs(Instant instant, long moreMissing, long moreExtra) {
    Window window = window(instant);
    put(
        instant,
        new Window(
            window.kinesis(),
            window.kafka(),
            window.missing() + moreMissing,
            window.extra() + moreExtra));
  }

  private Set<Part> altered(Written written, ConsumerRecord<byte[], byte[]> record) {
    Set<Part> parts = EnumSet.noneOf(Part.class);
    byte[] key = terms.keyed() ? written.key().map(k -> k.getBytes(UTF_8)).orElse(null) : null;
    if (!Arrays.equals(key, record.key())) {
      parts.add(Part.KEY);
    }
    if (!Arrays.equals(written.data(), record.value())) {
      parts.add(Part.VALUE);
    }
    if (written.arrival().toEpochMilli() != record.timestamp()) {
      parts.add(Part.TIMESTAMP);
    }
    if (isMisplaced(record)) {
      parts.add(Part.PARTITION);
    }
    return parts;
  }

  private boolean isMisplaced(ConsumerRecord<byte[], byte[]> record) {
    return record.key() != null
        && BuiltInPartitioner.partitionForKey(record.key(), terms.partitions())
            != record.partition();
  }

  static boolean isOf(String pinId, ConsumerRecord<byte[], byte[]> record) {
    return header(record, "cutover.pin").equals(Optional.of(pinId));
  }

  static Place place(ConsumerRecord<byte[], byte[]> record) {
    return new Place(record.partition(), record.offset());
  }

  static Optional<String> origin(ConsumerRecord<byte[], byte[]> record) {
    Optional<String> shard = header(record, "kinesis.shard");
    Optional<String> sequence = header(record, "kinesis.sequence");
    return shard.isPresent() && sequence.isPresent()
        ? Optional.of(
            shard.get()
                + "/"
                + sequence.get()
                + header(record, "kinesis.subsequence").map(sub -> "/" + sub).orElse(""))
        : Optional.empty();
  }

  static Optional<String> header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null || header.value() == null
        ? Optional.empty()
        : Optional.of(new String(header.value(), UTF_8));
  }

  private Truth truth(List<Place> disordered) {
    boolean countable =
        missing.isEmpty() && straggled.isEmpty() && extra.isEmpty() && doubled.isEmpty();
    boolean cleared =
        (countable || tolerated())
            && altered.isEmpty()
            && withoutOrigin.isEmpty()
            && ofAnotherPin.isEmpty()
            && misplaced.isEmpty()
            && disordered.isEmpty();
    return new Truth(
        windows,
        missing,
        straggled,
        extra,
        doubled,
        altered,
        withoutOrigin,
        ofAnotherPin,
        misplaced,
        disordered,
        copiedOutside,
        foreignOutside,
        cleared);
  }

  /** Missing and extra, in total and in each window; never what is empty on one side only. */
  private boolean tolerated() {
    if (terms.tolerance().isEmpty()) {
      return false;
    }
    TruthTerms.Tolerance tolerance = terms.tolerance().get();
    long kinesis = 0;
    long differing = 0;
    for (Window window : windows.values()) {
      kinesis += window.kinesis().records();
      differing += window.missing() + window.extra();
      boolean oneSideOnly = (window.kinesis().records() == 0) != (window.kafka().records() == 0);
      if (oneSideOnly
          || window.missing() + window.extra() > tolerance.allowed(window.kinesis().records())) {
        return false;
      }
    }
    return differing <= tolerance.allowed(kinesis);
  }
}
