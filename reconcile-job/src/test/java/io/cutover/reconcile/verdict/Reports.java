package io.cutover.reconcile.verdict;

import static io.cutover.reconcile.verdict.ReportDraft.T;

import io.cutover.config.ReconcileOptions;
import io.cutover.kafka.KafkaOptions;
import io.cutover.kpl.Origin;
import io.cutover.reconcile.verdict.Difference.Kind;
import io.cutover.reconcile.verdict.Difference.Part;
import io.cutover.reconcile.verdict.Difference.Place;
import io.cutover.reconcile.verdict.VerdictReport.Bucket;
import io.cutover.reconcile.verdict.VerdictReport.Count;
import io.cutover.reconcile.verdict.VerdictReport.Differences;
import io.cutover.reconcile.verdict.VerdictReport.EvidenceCounts;
import io.cutover.reconcile.verdict.VerdictReport.Partition;
import io.cutover.reconcile.verdict.VerdictReport.Recount;
import io.cutover.reconcile.verdict.VerdictReport.Scope;
import io.cutover.reconcile.verdict.VerdictReport.Settings;
import io.cutover.reconcile.verdict.VerdictReport.ShardProof;
import io.cutover.reconcile.verdict.VerdictReport.State;
import io.cutover.reconcile.verdict.VerdictReport.Timings;
import io.cutover.reconcile.verdict.VerdictReport.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reports of many shapes. */
public final class Reports {

  /** What a page or a terminal must not take for its own. */
  public static final String HOSTILE =
      "<script>alert(\"x\")</script> & 'quoted' </td></table> \u202Eright to left\u202C"
          + " \u05E9\u05DC\u05D5\u05DD \u001B[31mred\u001B[0m \u0000 ]]> <!-- &amp; ";

  private static final String DIGEST = "0f".repeat(16);

  private Reports() {}

  /** All shapes, by a name that says what is special. */
  public static Map<String, VerdictReport> all() {
    Map<String, VerdictReport> all = new TreeMap<>();
    all.put("cleared", cleared());
    all.put("mismatch", mismatch());
    all.put("partial", partial());
    all.put("inconclusive", inconclusive());
    all.put("tolerated", tolerated());
    all.put("zero-records", zeroRecords());
    all.put("one-window", oneWindow());
    all.put("many-windows", manyWindows(2000));
    all.put("hostile", hostile(HOSTILE, "shardId-" + "0".repeat(300) + "<b>"));
    return all;
  }

  public static VerdictReport cleared() {
    return clean(168).report();
  }

  public static VerdictReport oneWindow() {
    ReportDraft draft = clean(1);
    draft.scope = ReportDraft.scope(start(0, 1), T, true);
    return draft.report();
  }

  /** A clean copy but for one record that is missing from the window in the middle. */
  public static VerdictReport manyWindows(int count) {
    ReportDraft draft = clean(count);
    draft.scope = ReportDraft.scope(start(0, count), T, true);
    draft.windows.set(count / 2, window(count / 2, count, -1, State.DIFFERS));
    draft.findings.add(missing(1));
    draft.differing(List.of(difference(Kind.MISSING, count / 2, count)));
    return draft.totalled().report();
  }

  public static VerdictReport mismatch() {
    int count = 168;
    ReportDraft draft = clean(count);
    List.of(20, 21, 22, 90, 91, 140)
        .forEach(i -> draft.windows.set(i, window(i, count, i == 91 ? 40 : -i, State.DIFFERS)));
    draft.windows.set(60, window(60, count, -3, State.TOLERATED));
    for (int i = 0; i < 230; i++) {
      draft.buckets.add(bucket("shardId-%012d".formatted(i / 20), 20 + i % 20, count, i));
    }
    draft.differing(Stream.of(Kind.values()).map(kind -> difference(kind, 20, count)).toList());
    draft.findings.addAll(
        List.of(
            missing(201),
            forcing(FindingCode.RECORDS_EXTRA, Verdict.MISMATCH, 40, "records are in the topic"),
            forcing(FindingCode.RECORDS_DOUBLED, Verdict.MISMATCH, 3, "records stand there twice"),
            forcing(FindingCode.RECORDS_ALTERED, Verdict.MISMATCH, 1, "records are not the same"),
            forcing(FindingCode.RECORDS_STRAGGLED, Verdict.MISMATCH, 2, "records came late"),
            forcing(FindingCode.RECORDS_WITHOUT_ORIGIN, Verdict.MISMATCH, 9, "are not the copy's"),
            forcing(FindingCode.ORDER_VIOLATED, Verdict.MISMATCH, 2, "pairs are out of order"),
            forcing(FindingCode.NOT_COMPARED, Verdict.PARTIAL, 12, "windows of shards expired"),
            Finding.of(
                FindingCode.RETENTION_SHORT,
                Optional.empty(),
                1,
                "retention.ms is 604800000, but the copy begins 7 d 2 h ago: set it to -1.")));
    draft.recounts.add(
        new Recount(
            "shardId-000000000002",
            start(3, count),
            start(4, count),
            new Count(10, 1000),
            Optional.of(new Count(11, 1100))));
    draft.shards.add(new ShardProof("shardId-000000000009", true, Optional.empty()));
    draft.tiles = false;
    return draft.totalled().report();
  }

  public static VerdictReport partial() {
    int count = 168;
    ReportDraft draft = clean(count);
    draft.windows = draft.windows.subList(48, count);
    draft.scope = ReportDraft.scope(start(48, count), T, false);
    for (int i = 0; i < 24; i++) {
      draft.windows.set(i, window(48 + i, count, 0, State.NOT_COMPARED));
      draft.buckets.add(notCompared("shardId-000000000000", 48 + i, count));
    }
    draft.settings =
        new Settings(
            ReconcileOptions.Require.IDENTICAL,
            5,
            200,
            ReconcileOptions.Evidence.REREAD,
            Optional.of(start(2, count)),
            0,
            Duration.ofMinutes(10),
            KafkaOptions.Key.NONE);
    draft.findings.add(
        forcing(
            FindingCode.WINDOW_NARROWED, Verdict.PARTIAL, 48, "windows were left out on request"));
    draft.findings.add(
        forcing(FindingCode.NOT_COMPARED, Verdict.PARTIAL, 24, "windows of shards have expired"));
    return draft.totalled().report();
  }

  public static VerdictReport inconclusive() {
    ReportDraft draft = new ReportDraft();
    draft.compared = false;
    draft.differences = Differences.NONE;
    draft.findings.add(
        new Finding(
            FindingCode.OPEN_TRANSACTION,
            Optional.of(Verdict.INCONCLUSIVE),
            1,
            "A transaction is open in orders, so what stands behind it is hidden. Waited for 1 min."
                + " End its producer, or wait for its timeout, and reconcile again.",
            List.of(
                "cutover-9d3e51c07b42a6f8-orders-0 (producer 4711), partition 2 from 104,221 on")));
    return draft.report();
  }

  public static VerdictReport tolerated() {
    int count = 48;
    ReportDraft draft = clean(count);
    draft.scope = ReportDraft.scope(start(0, count), T, true);
    draft.windows.set(7, window(7, count, -2, State.TOLERATED));
    draft.windows.set(30, window(30, count, -1, State.TOLERATED));
    draft.settings =
        new Settings(
            ReconcileOptions.Require.TOLERANCE,
            5,
            200,
            ReconcileOptions.Evidence.WITNESS,
            Optional.empty(),
            20,
            Duration.ofMinutes(10),
            KafkaOptions.Key.PARTITION_KEY);
    draft.findings.add(
        Finding.of(
            FindingCode.DIFFERENCES_TOLERATED,
            Optional.empty(),
            3,
            "3 records are missing; 41 may be."));
    draft.differing(
        List.of(difference(Kind.MISSING, 7, count), difference(Kind.MISSING, 30, count)));
    return draft.totalled().report();
  }

  public static VerdictReport zeroRecords() {
    ReportDraft draft = new ReportDraft();
    draft.findings.add(
        Finding.of(
            FindingCode.NO_RECORDS,
            Optional.empty(),
            0,
            "Neither side holds a record between the backfill start and T."));
    draft.shards.add(
        new ShardProof("shardId-000000000000", true, Optional.of("read to the tip past T")));
    draft.partitions.add(new Partition(0, 0, 0, 0));
    return draft.report();
  }

  /** A mismatch in which every text that comes from data is the given one. */
  public static VerdictReport hostile(String text, String shard) {
    int count = 12;
    ReportDraft draft = clean(count);
    Scope scope = ReportDraft.scope(start(0, count), T, true);
    draft.scope =
        new Scope(
            text,
            text + "arn".repeat(40),
            text,
            4,
            scope.start(),
            T,
            scope.from(),
            T,
            true,
            scope.window());
    draft.windows.set(5, window(5, count, -1, State.DIFFERS));
    draft.buckets.add(bucket(shard, 5, count, 1));
    draft.findings.add(
        new Finding(
            FindingCode.RECORDS_MISSING,
            Optional.of(Verdict.MISMATCH),
            1,
            text,
            List.of(text, shard)));
    draft.differing(
        List.of(
            new Difference(
                Kind.MISSING,
                Set.of(),
                Optional.of(new Origin(shard, text, OptionalInt.of(0))),
                Optional.of(start(5, count)),
                List.of())));
    draft.shards.add(new ShardProof(shard, false, Optional.of(text)));
    draft.recounts.add(
        new Recount(shard, start(5, count), start(6, count), Count.NOTHING, Optional.empty()));
    return draft.totalled().report();
  }

  /** A clean copy of so many windows of an hour, the last of which ends at T. */
  public static ReportDraft clean(int count) {
    ReportDraft draft = new ReportDraft();
    for (int i = 0; i < count; i++) {
      draft.windows.add(window(i, count, 0, State.AGREES));
    }
    for (int i = 0; i < 4; i++) {
      draft.shards.add(
          new ShardProof(
              "shardId-%012d".formatted(i),
              i != 0,
              Optional.of(i < 2 ? "closed, read to its end" : "read to the tip past T")));
      draft.partitions.add(new Partition(i, 0, 250_017L + i, 250_000L + i));
    }
    draft.recounts.add(
        new Recount(
            "shardId-000000000001",
            start(0, count),
            start(1, count),
            new Count(100, 51_200),
            Optional.of(new Count(100, 51_200))));
    draft.totalled();
    long read = draft.totals.kinesis().records();
    draft.timings =
        new Timings(
            Duration.ofMillis(812), Duration.ofSeconds(427), Duration.ofMillis(438), read, read);
    return draft;
  }

  public static Instant start(int window, int of) {
    return T.minus(Duration.ofHours(of - window));
  }

  /** A window with a daily wave of records, and so many more of them in the topic. */
  public static Window window(int index, int of, int more, State state) {
    long records = Math.round(6000 + 4000 * Math.sin(index * Math.PI / 12));
    boolean compared = state != State.NOT_COMPARED;
    Count kinesis = compared ? new Count(records, records * 512) : Count.NOTHING;
    Count kafka = new Count(records + more, (records + more) * 512);
    return new Window(
        start(index, of),
        start(index + 1, of),
        kinesis,
        kafka,
        Math.max(0, -more),
        Math.max(0, more),
        more == 0 ? 0 : 1,
        more == 0 ? 0 : 2,
        compared ? new EvidenceCounts(3, 1, 0) : new EvidenceCounts(0, 0, 4),
        state);
  }

  private static Bucket bucket(String shard, int window, int of, int missing) {
    return new Bucket(
        shard,
        start(window, of),
        start(window + 1, of),
        Evidence.REREAD,
        new Count(1000 + missing, 512_000),
        new Count(1000, 512_000),
        DIGEST,
        DIGEST.replace('f', 'e'),
        missing % 3 != 0,
        State.DIFFERS);
  }

  private static Bucket notCompared(String shard, int window, int of) {
    return new Bucket(
        shard,
        start(window, of),
        start(window + 1, of),
        Evidence.NOT_COMPARED,
        Count.NOTHING,
        new Count(1000, 512_000),
        "0".repeat(32),
        DIGEST,
        false,
        State.NOT_COMPARED);
  }

  private static Finding missing(long count) {
    return new Finding(
        FindingCode.RECORDS_MISSING,
        Optional.of(Verdict.MISMATCH),
        count,
        count
            + " records are in the stream but not in the topic. Look at differences.jsonl, which"
            + " names them, and make the copy anew.",
        List.of(
            "shardId-000000000003 49642017335817640133250108476410292843561834672498180098 #3,"
                + " arrived 2026-11-26T12:00:00.417Z"));
  }

  private static Finding forcing(FindingCode code, Verdict verdict, long count, String what) {
    return new Finding(
        code,
        Optional.of(verdict),
        count,
        count + " " + what + ". None was expected. See the samples below.",
        List.of("shardId-000000000003 4964201733581764, partition 2, offset 104,221"));
  }

  /** One of a kind, with all that the kind has. */
  public static Difference difference(Kind kind, int window, int of) {
    Instant arrival = start(window, of).plusMillis(417);
    boolean inStream =
        Set.of(Kind.MISSING, Kind.STRAGGLER, Kind.DOUBLED, Kind.ALTERED).contains(kind);
    Place place = new Place(2, 104_221L + window, arrival);
    return new Difference(
        kind,
        kind == Kind.ALTERED ? Set.of(Part.VALUE, Part.PARTITION) : Set.of(),
        kind == Kind.WITHOUT_ORIGIN
            ? Optional.empty()
            : Optional.of(
                new Origin(
                    "shardId-000000000003",
                    "49642017335817640133250108476410292843561834672498180098",
                    kind == Kind.EXTRA ? OptionalInt.of(3) : OptionalInt.empty())),
        inStream ? Optional.of(arrival) : Optional.empty(),
        switch (kind) {
          case MISSING, STRAGGLER -> List.of();
          case DOUBLED -> List.of(place, new Place(2, 204_500, arrival));
          default -> List.of(place);
        });
  }
}
