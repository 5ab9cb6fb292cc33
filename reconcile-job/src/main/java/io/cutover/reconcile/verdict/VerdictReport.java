package io.cutover.reconcile.verdict;

import io.cutover.config.ReconcileOptions;
import io.cutover.kafka.KafkaOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All that one reconciliation came to: what {@code verdict.json}, {@code verdict.html} and the
 * table on the terminal are made of. The verdict is what the findings force, and nothing else.
 *
 * @param run which run of the reconciliation this is
 * @param scope what was compared
 * @param settings the configuration that matters for the verdict
 * @param totals over all windows
 * @param windows in time order; those without a record on either side are left out
 * @param buckets windows of single shards that differ or were not compared, by shard and time
 * @param findings in the order of {@link FindingCode}
 * @param differences the records that differ: how many of each kind, and the first of them
 * @param coverage absent where it did not come to reading
 * @param partitions of the topic, as they were read; none where it was not
 */
public record VerdictReport(
    Run run,
    Scope scope,
    Settings settings,
    Totals totals,
    List<Window> windows,
    List<Bucket> buckets,
    List<Finding> findings,
    Differences differences,
    Optional<Coverage> coverage,
    List<Partition> partitions,
    Timings timings) {

  /**
   * @param id random, 8 hexadecimal digits
   */
  public record Run(String id, Instant startedAt, Instant finishedAt) {}

  /**
   * @param start the backfill start: nothing from before it was retained when T was pinned
   * @param from what is compared begins here: the start of a window
   * @param to and ends before this instant: T, or the end of a window
   * @param whole whether that is all of the copy
   * @param window the length of the windows
   */
  public record Scope(
      String pin,
      String stream,
      String topic,
      int partitions,
      Instant start,
      Instant boundary,
      Instant from,
      Instant to,
      boolean whole,
      Duration window) {}

  /** The options of the same names. */
  public record Settings(
      ReconcileOptions.Require require,
      int toleranceFloor,
      int tolerancePpm,
      ReconcileOptions.Evidence evidence,
      Optional<Instant> acceptExpiredBefore,
      int sampleBuckets,
      Duration slack,
      KafkaOptions.Key key) {}

  /** What is known of one side of a span. */
  public record Count(long records, long bytes) {

    public static final Count NOTHING = new Count(0, 0);

    public Count plus(Count other) {
      return new Count(records + other.records, bytes + other.bytes);
    }
  }

  /**
   * @param kinesis of what was compared, whatever the evidence
   * @param kafka records of this copy within the compared span
   * @param kafkaOutside records of this copy outside of it
   * @param foreignInside records that are not this copy's, within the compared span
   * @param foreignOutside likewise, outside of it: those of a dual write
   */
  public record Totals(
      Count kinesis, Count kafka, long kafkaOutside, long foreignInside, long foreignOutside) {}

  /** How many windows of a shard were compared by which evidence. */
  public record EvidenceCounts(long reread, long witness, long notCompared) {

    public EvidenceCounts plus(EvidenceCounts other) {
      return new EvidenceCounts(
          reread + other.reread, witness + other.witness, notCompared + other.notCompared);
    }

    public static EvidenceCounts of(Evidence evidence) {
      return switch (evidence) {
        case REREAD -> new EvidenceCounts(1, 0, 0);
        case WITNESS -> new EvidenceCounts(0, 1, 0);
        case NOT_COMPARED -> new EvidenceCounts(0, 0, 1);
      };
    }
  }

  /** How the two sides of a span stand to each other; the worst of its parts. */
  public enum State {
    AGREES,
    TOLERATED,
    NOT_COMPARED,
    DIFFERS
  }

  /**
   * One window over all shards.
   *
   * @param missing records, stragglers among them, as far as they are named
   * @param extra records, doubles among them, likewise
   * @param altered likewise
   * @param foreign records that are not this copy's
   */
  public record Window(
      Instant start,
      Instant end,
      Count kinesis,
      Count kafka,
      long missing,
      long extra,
      long altered,
      long foreign,
      EvidenceCounts evidence,
      State state) {}

  /**
   * One window of one shard.
   *
   * @param kinesisDigest 32 hexadecimal digits, all 0 without a record
   * @param named whether every record by which it differs is named
   */
  public record Bucket(
      String shard,
      Instant start,
      Instant end,
      Evidence evidence,
      Count kinesis,
      Count kafka,
      String kinesisDigest,
      String kafkaDigest,
      boolean named,
      State state) {}

  /**
   * @param counts of each kind that there is
   * @param samples the first of each kind; all are in the file
   * @param listing the file; absent where it did not come to a comparison
   */
  public record Differences(
      Map<Difference.Kind, Long> counts, List<Difference> samples, Optional<Listing> listing) {

    /** Nothing was compared. */
    public static final Differences NONE = new Differences(Map.of(), List.of(), Optional.empty());

    public Differences {
      counts = Collections.unmodifiableMap(new TreeMap<>(counts));
      samples = List.copyOf(samples);
    }

    public long total() {
      return counts.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /**
   * The file of the records that differ, one a line.
   *
   * @param file its name in cutover.dir
   * @param sha256 of the whole file, hexadecimal
   */
  public record Listing(String file, String sha256) {}

  /**
   * Whether every shard was read to its end, by arithmetic of its own.
   *
   * @param tiles whether the shards at which the reading ended own every hash key exactly once
   * @param shards of the pin, of the ledger and of today's listing, by id
   * @param recounts windows of shards that a plain loop counted once more
   */
  public record Coverage(boolean tiles, List<ShardProof> shards, List<Recount> recounts) {

    public Coverage {
      shards = shards.stream().sorted(Comparator.comparing(ShardProof::shard)).toList();
      recounts = List.copyOf(recounts);
    }
  }

  /**
   * @param listed whether the stream lists it today
   * @param proof why nothing of it from before T is unread, in a few words; absent where there is
   *     no proof
   */
  public record ShardProof(String shard, boolean listed, Optional<String> proof) {}

  /**
   * @param found by the Kinesis side of the reconciliation
   * @param recounted by the plain loop; absent where the records expired meanwhile
   */
  public record Recount(
      String shard, Instant start, Instant end, Count found, Optional<Count> recounted) {

    public boolean agrees() {
      return recounted.isEmpty() || recounted.get().equals(found);
    }
  }

  /**
   * @param begin the first offset when the reading began
   * @param end the offset before which it stopped
   * @param records committed records between the two
   */
  public record Partition(int partition, long begin, long end, long records) {}

  /**
   * @param kinesisRecords read from the stream; 0 where it was not read
   * @param kafkaRecords read from the topic, whoever's
   */
  public record Timings(
      Duration survey, Duration read, Duration compare, long kinesisRecords, long kafkaRecords) {}

  public VerdictReport {
    windows = List.copyOf(windows);
    buckets = List.copyOf(buckets);
    findings = findings.stream().sorted(Comparator.comparing(Finding::code)).toList();
    partitions = List.copyOf(partitions);
  }

  /** Whether it came to a comparison: if not, the totals say nothing. */
  public boolean compared() {
    return differences.listing().isPresent();
  }

  /** What the findings force. */
  public Verdict verdict() {
    return findings.stream()
        .flatMap(finding -> finding.forces().stream())
        .min(Comparator.naturalOrder())
        .orElse(Verdict.CLEARED);
  }

  /** The findings that force the verdict. */
  public List<Finding> reasons() {
    Verdict verdict = verdict();
    return findings.stream()
        .filter(finding -> finding.forces().equals(Optional.of(verdict)))
        .toList();
  }
}
