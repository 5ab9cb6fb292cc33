package io.cutover.reconcile.recount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.kinesis.KinesisOptions;
import io.cutover.kpl.KplBlob;
import io.cutover.local.kinesis.Call;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.KinesisEmulator;
import io.cutover.local.kinesis.PutSpec;
import io.cutover.local.kinesis.ReadStyle;
import io.cutover.local.kinesis.ReadStyle.EndIterator;
import io.cutover.local.kinesis.ReadStyle.TrimmedPosition;
import io.cutover.local.kinesis.StoredRecord;
import io.cutover.reconcile.reading.Time;
import io.cutover.reconcile.verdict.VerdictReport.Count;
import io.cutover.source.SourceOptions;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecounterTest {

  private static final String SHARD = "shardId-000000000000";
  private static final Duration SLACK = Duration.ofMinutes(1);
  private static final Duration RETENTION = Duration.ofHours(24);

  /** The window is the hour from here on. */
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  private static final Instant END = START.plus(Duration.ofHours(1));

  private static KinesisEmulator kinesis;

  private final Slept time = new Slept();
  private EmulatedStream stream;
  private Recounter recounter;

  /** Passes while somebody sleeps, and only then. */
  private static final class Slept implements Time {
    private long nanos;

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public void sleep(long slept) {
      nanos += slept;
    }

    Duration passed() {
      return Duration.ofNanos(nanos);
    }
  }

  @BeforeAll
  static void start() {
    kinesis = KinesisEmulator.start();
  }

  @AfterAll
  static void stop() {
    kinesis.close();
  }

  @BeforeEach
  void createStream() {
    kinesis.clock().set(END.plus(Duration.ofHours(3)));
    stream = kinesis.createStream("orders", 1, START.minus(Duration.ofHours(10)));
    stream.retention(RETENTION);
    recounter = recounterWith(time);
    kinesis.clearCalls();
  }

  @AfterEach
  void deleteStream() {
    recounter.close();
    kinesis.faults().clear();
    kinesis.deleteStream("orders");
  }

  private StoredRecord put(Instant arrival, byte[] data) {
    return stream.put(SHARD, PutSpec.of("k", data, arrival));
  }

  /** Of two bytes. */
  private StoredRecord put(Instant arrival) {
    return put(arrival, new byte[2]);
  }

  private static Instant in(int second) {
    return START.plusSeconds(second);
  }

  private Optional<Count> counted() throws InterruptedException {
    return recounter.count(SHARD, START, END, Optional.empty(), Optional.empty(), SLACK);
  }

  private Optional<Count> counted(StoredRecord lowest, StoredRecord highest)
      throws InterruptedException {
    return recounter.count(
        SHARD,
        START,
        END,
        Optional.of(lowest.sequenceNumber()),
        Optional.of(highest.sequenceNumber()),
        SLACK);
  }

  private static long calls(String action) {
    return kinesis.calls().stream().map(Call::action).filter(action::equals).count();
  }

  private static Optional<Count> records(int count) {
    return Optional.of(new Count(count, 2L * count));
  }

  /** Some before the window, 20 in it, some behind it. */
  private void putTwenty() {
    put(START.minusSeconds(3600));
    put(START.minusSeconds(1));
    for (int i = 0; i < 20; i++) {
      put(in(i));
    }
    put(END.plus(SLACK));
    put(END.plus(SLACK).plusSeconds(1));
  }

  // ---- what is counted

  @Test
  void windowBeginsWithItsStartAndEndsBeforeItsEnd() throws InterruptedException {
    put(START.minusMillis(1));
    put(START);
    put(END.minusMillis(1));
    put(END);
    put(END.plus(SLACK));
    assertThat(counted()).isEqualTo(records(2));
  }

  @Test
  void emptyWindowCountsNothing() throws InterruptedException {
    assertThat(counted()).contains(Count.NOTHING);
    put(START.minusMillis(1));
    put(END);
    assertThat(counted()).contains(Count.NOTHING);
  }

  @Test
  void aggregateCountsItsMembersAndABrokenOneItself() throws InterruptedException {
    byte[] three = "xyz".getBytes(UTF_8);
    KplBlob.Member member = new KplBlob.Member("k", Optional.empty(), three);
    byte[] broken = KplBlob.malformed().get("wrong MD5");
    put(in(1), KplBlob.of(List.of(member, member, member)));
    put(in(2), broken);
    put(in(3), three);
    put(END, KplBlob.of(List.of(member)));
    assertThat(counted()).contains(new Count(5, 12 + broken.length));
  }

  @Test
  void recordsAreCountedOverPages() throws InterruptedException {
    stream.readStyle(ReadStyle.AWS.pageRecords(3));
    putTwenty();
    assertThat(counted()).isEqualTo(records(20));
    assertThat(calls("GetRecords")).isEqualTo(8);
  }

  @Test
  void arrivalsOutOfOrderAreCountedWhereverTheyStand() throws InterruptedException {
    stream.readStyle(ReadStyle.AWS.pageRecords(1));
    StoredRecord lowest = put(in(7));
    put(START.minusSeconds(30));
    put(in(5));
    put(END.plus(SLACK));
    put(in(6));
    put(START.minus(SLACK).minusSeconds(9));
    StoredRecord highest = put(END.minusMillis(1));
    put(END.plusSeconds(1));
    assertThat(counted(lowest, highest)).isEqualTo(records(4));
  }

  @Test
  void readingGoesOnBehindTheHighestUntilARecordFarBehindTheWindow() throws InterruptedException {
    stream.readStyle(ReadStyle.AWS.pageRecords(1));
    StoredRecord only = put(in(1));
    put(END.plus(SLACK).minusMillis(1));
    put(in(2)); // that nobody knew of
    put(END.plus(SLACK));
    put(in(3));
    assertThat(counted(only, only)).isEqualTo(records(2));
  }

  /** Servers find a place by time as they see fit; the known lowest record is the floor. */
  @Test
  void readingBeginsAtTheLowestThatIsKnown() throws InterruptedException {
    stream.readStyle(ReadStyle.AWS.pageRecords(2));
    StoredRecord lowest = put(START.minus(Duration.ofMinutes(30)));
    put(START.minus(Duration.ofMinutes(20)));
    put(END.plus(SLACK));
    put(START.minus(Duration.ofMinutes(10)));
    StoredRecord highest = put(in(1));
    assertThat(counted(lowest, highest)).isEqualTo(records(1));
    assertThat(calls("GetShardIterator")).isEqualTo(2);
    assertThat(calls("GetRecords")).isEqualTo(4);
  }

  /** A record far behind the window that was met before the reading began at the lowest. */
  @Test
  void whatWasMetBeforeTheReadingBeganAnewIsForgotten() throws InterruptedException {
    stream.readStyle(ReadStyle.AWS.pageRecords(1));
    StoredRecord only = put(START.minus(Duration.ofMinutes(30)));
    put(START.minus(Duration.ofMinutes(20)));
    put(END.plus(SLACK));
    assertThat(counted(only, only)).contains(Count.NOTHING);
    assertThat(calls("GetRecords")).isEqualTo(1 + 3);
  }

  // ---- where it ends

  @Test
  void tipEndsTheReading() throws InterruptedException {
    put(in(1));
    assertThat(counted()).isEqualTo(records(1));
    assertThat(calls("GetRecords")).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void closedEndEndsTheReading(EndIterator style) throws InterruptedException {
    stream.readStyle(ReadStyle.AWS.endIterator(style).emptyPagesBeforeEnd(2).pageRecords(1));
    put(in(1));
    StoredRecord last = put(in(2));
    stream.split(SHARD);
    assertThat(counted(last, last)).isEqualTo(records(2));
  }

  @Test
  void emptyPagesEndNothing() throws InterruptedException {
    stream.readStyle(ReadStyle.AWS.pageRecords(5));
    putTwenty();
    kinesis.faults().on("GetRecords").times(3).emptyPage();
    kinesis.faults().on("GetRecords").after(5).times(4).emptyPage();
    assertThat(counted()).isEqualTo(records(20));
  }

  // ---- failures

  @Test
  void throttlingIsWaitedForWithoutEnd() throws InterruptedException {
    putTwenty();
    kinesis.faults().on("GetRecords").times(40).throttle();
    assertThat(counted()).isEqualTo(records(20));
    assertThat(time.passed()).isGreaterThan(Duration.ofMinutes(1));
  }

  @Test
  void brokenCallsAreRepeatedForAWhile() throws InterruptedException {
    stream.readStyle(ReadStyle.AWS.pageRecords(3));
    putTwenty();
    kinesis.faults().on("GetShardIterator").times(2).unavailable503();
    kinesis.faults().on("GetRecords").after(1).times(5).internalFailure();
    kinesis.faults().on("GetRecords").after(8).times(2).cutConnection();
    assertThat(counted()).isEqualTo(records(20));
  }

  @Test
  void serverThatNeverAnswersIsSaid() {
    putTwenty();
    kinesis.faults().on("GetRecords").internalFailure();
    assertThatThrownBy(this::counted)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(SHARD)
        .hasMessageContaining("TRANSIENT");
    assertThat(time.passed()).isBetween(Duration.ofMinutes(1), Duration.ofSeconds(70));
  }

  @Test
  void denialIsSaidAtOnce() {
    kinesis.faults().on("GetRecords").refuse("AccessDeniedException", 400);
    assertThatThrownBy(this::counted)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("DENIED");
    assertThat(calls("GetRecords")).isEqualTo(1);
  }

  @Test
  void expiredIteratorIsReplacedBehindTheLastRecord() throws InterruptedException {
    stream.readStyle(ReadStyle.AWS.pageRecords(3));
    putTwenty();
    kinesis.faults().on("GetRecords").times(1).expiredIterator();
    kinesis.faults().on("GetRecords").after(3).times(2).expiredIterator();
    assertThat(counted()).isEqualTo(records(20));
    assertThat(calls("GetShardIterator")).isEqualTo(4);
  }

  @Test
  void callsKeepThePaceOfTheSource() throws InterruptedException {
    stream.readStyle(ReadStyle.AWS.pageRecords(3));
    putTwenty();
    counted();
    counted();
    assertThat(calls("GetRecords")).isEqualTo(16);
    assertThat(time.passed()).isEqualTo(Duration.ofMillis(15 * 500));
  }

  // ---- less than there was

  @Test
  void windowThatBeginsToExpireIsNotCounted() throws InterruptedException {
    putTwenty();
    kinesis.clock().set(START.plus(RETENTION).minusSeconds(5));
    assertThat(counted()).isEqualTo(records(20));
    kinesis.clock().set(START.plus(RETENTION).plusMillis(1));
    assertThat(counted()).isEmpty();
  }

  @Test
  void windowThatExpiresWhileItIsReadIsNotCounted() throws InterruptedException {
    stream.readStyle(ReadStyle.AWS.pageRecords(3));
    putTwenty();
    kinesis.clock().set(START.plus(RETENTION).minusSeconds(3));
    kinesis.faults().on("GetRecords").after(3).times(10).throttle();
    Recounter slow =
        recounterWith(
            new Time() {
              @Override
              public long nanos() {
                return time.nanos();
              }

              @Override
              public void sleep(long nanos) {
                time.sleep(nanos);
                kinesis.clock().advance(Duration.ofNanos(nanos));
              }
            });
    assertThat(slow.count(SHARD, START, END, Optional.empty(), Optional.empty(), SLACK)).isEmpty();
    slow.close();
  }

  private Recounter recounterWith(Time other) {
    Configuration config = new Configuration();
    config.set(KinesisOptions.STREAM, "orders");
    config.set(KinesisOptions.ENDPOINT, kinesis.endpoint().toString());
    config.set(KinesisOptions.REGION, "us-east-1");
    config.set(KinesisOptions.CREDENTIALS_PROVIDER, KinesisOptions.CredentialsProvider.BASIC);
    config.set(KinesisOptions.ACCESS_KEY_ID, "local");
    config.set(KinesisOptions.SECRET_KEY, "local");
    config.set(SourceOptions.MAX_CALLS, 2.0);
    config.set(SourceOptions.RETRY_TIMEOUT, Duration.ofMinutes(1));
    return new Recounter(config, RETENTION, other);
  }

  /** Whatever the retention says: it may have been lower meanwhile. */
  @ParameterizedTest
  @EnumSource
  void windowWhoseLowestRecordIsGoneIsNotCounted(TrimmedPosition style)
      throws InterruptedException {
    stream.readStyle(ReadStyle.AWS.trimmedPosition(style));
    StoredRecord lowest = put(in(1));
    StoredRecord highest = put(in(2));
    put(END.plus(SLACK));
    stream.trimBefore(in(2));
    assertThat(counted(lowest, highest)).isEmpty();
  }

  @Test
  void windowOfWhichAllIsGoneIsNotCounted() throws InterruptedException {
    StoredRecord lowest = put(in(1));
    stream.trimBefore(END);
    assertThat(counted(lowest, lowest)).isEmpty();
  }

  @Test
  void shardThatIsGoneIsNotCounted() throws InterruptedException {
    putTwenty();
    stream.vanish(SHARD);
    assertThat(counted()).isEmpty();
  }

  @Test
  void shardThatGoesWhileItIsReadIsNotCounted() throws InterruptedException {
    stream.readStyle(ReadStyle.AWS.pageRecords(3));
    putTwenty();
    kinesis.faults().on("GetRecords").after(2).notFound();
    assertThat(counted()).isEmpty();
  }
}
