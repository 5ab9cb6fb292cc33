package io.cutover.source;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cutover.Refusal;
import io.cutover.kinesis.KinesisOptions;
import io.cutover.kinesis.KinesisOptions.CredentialsProvider;
import io.cutover.kinesis.KinesisStream;
import io.cutover.lineage.Boundary;
import io.cutover.lineage.EndReason;
import io.cutover.local.kinesis.Call;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.KinesisEmulator;
import io.cutover.local.kinesis.PutSpec;
import io.cutover.local.kinesis.ReadStyle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reader, poller and readings together, as the fetcher thread drives them. */
@Timeout(60)
class ShardSplitReaderTest {

  private static final Instant T = Instant.now().minusSeconds(3600).truncatedTo(ChronoUnit.MILLIS);
  private static final String FIRST = "shardId-000000000000";
  private static final String SECOND = "shardId-000000000001";

  private static KinesisEmulator kinesis;

  private final Configuration config = new Configuration();
  private final List<ShardSplitReader> readers = new ArrayList<>();
  private EmulatedStream stream;

  @BeforeAll
  static void startKinesis() {
    kinesis = KinesisEmulator.start();
  }

  @AfterAll
  static void stopKinesis() {
    kinesis.close();
  }

  @BeforeEach
  void createStream() {
    stream = kinesis.createStream("orders", 2, T.minusSeconds(3600));
    config.set(KinesisOptions.STREAM, "orders");
    config.set(KinesisOptions.ENDPOINT, kinesis.endpoint().toString());
    config.set(KinesisOptions.REGION, "us-east-1");
    config.set(KinesisOptions.CREDENTIALS_PROVIDER, CredentialsProvider.BASIC);
    config.set(KinesisOptions.ACCESS_KEY_ID, "local");
    config.set(KinesisOptions.SECRET_KEY, "local");
    config.set(SourceOptions.MAX_CALLS, 10_000.0);
    config.set(SourceOptions.MAX_BYTES, MemorySize.ofMebiBytes(10_000));
    config.set(SourceOptions.IDLE_INTERVAL, Duration.ofMillis(10));
  }

  @AfterEach
  void deleteStream() {
    readers.forEach(ShardSplitReader::close);
    kinesis.faults().clear();
    kinesis.clearCalls();
    kinesis.deleteStream("orders");
  }

  private ShardSplitReader reader() {
    return reader(ReadStart.TRIM_HORIZON);
  }

  private ShardSplitReader reader(ReadStart start) {
    ShardSplitReader reader =
        new ShardSplitReader(
            new ShardPoller(
                new KinesisStream(config, 10),
                config,
                start,
                new Boundary(T, Duration.ofSeconds(60)),
                new StreamLife(T.minusSeconds(3600), Duration.ofDays(1))));
    readers.add(reader);
    return reader;
  }

  private static void add(ShardSplitReader reader, ShardSplit... splits) {
    reader.handleSplitsChanges(new SplitsAddition<>(List.of(splits)));
  }

  private void put(String shard, int count) {
    for (int i = 0; i < count; i++) {
      stream.put(shard, PutSpec.of("key", new byte[100], T.minusSeconds(600).plusMillis(i)));
    }
  }

  private static List<ShardItem> items(RecordsWithSplitIds<ShardItem> page) {
    List<ShardItem> items = new ArrayList<>();
    while (page.nextSplit() != null) {
      for (ShardItem item = page.nextRecordFromSplit();
          item != null;
          item = page.nextRecordFromSplit()) {
        items.add(item);
      }
    }
    page.recycle();
    return items;
  }

  /** All items until so many shards have ended. */
  private static List<ShardItem> readToTheEnd(ShardSplitReader reader, int shards)
      throws IOException {
    List<ShardItem> items = new ArrayList<>();
    int ended = 0;
    while (ended < shards) {
      RecordsWithSplitIds<ShardItem> page = reader.fetch();
      items.addAll(items(page));
      ended += page.finishedSplits().size();
    }
    return items;
  }

  private static long passed(List<ShardItem> items) {
    return items.stream().filter(ShardItem.Passed.class::isInstance).count();
  }

  @Test
  void openShardEndsAtTheTipOnceTheServersClockHasPassed() throws IOException {
    put(FIRST, 25);
    stream.readStyle(ReadStyle.AWS.pageRecords(10));
    ShardSplitReader reader = reader();
    add(reader, ShardSplit.toRead(Given.shard(FIRST)));
    List<ShardItem> items = readToTheEnd(reader, 1);
    assertThat(passed(items)).isEqualTo(25);
    assertThat(items).last().isEqualTo(new ShardItem.End(EndReason.TIP));
  }

  @Test
  void shardIsReadFromTheFirstRecordThatArrivedAtTheInstantOnWhateverComesBehindIt()
      throws IOException {
    Instant instant = T.minusSeconds(600);
    for (long millis : new long[] {-2, -1, 0, -1, 5}) {
      stream.put(FIRST, PutSpec.of("key", new byte[1], instant.plusMillis(millis)));
    }
    ShardSplitReader reader = reader(ReadStart.at(instant));
    add(reader, ShardSplit.toRead(Given.shard(FIRST)));
    List<ShardItem> items = readToTheEnd(reader, 1);
    assertThat(arrivals(items))
        .containsExactly(instant, instant.minusMillis(1), instant.plusMillis(5));
    assertThat(items).last().isEqualTo(new ShardItem.End(EndReason.TIP));
  }

  private static List<Instant> arrivals(List<ShardItem> items) {
    return items.stream()
        .filter(ShardItem.Passed.class::isInstance)
        .map(item -> Instant.ofEpochMilli(((ShardItem.Passed) item).record().arrivalMillis()))
        .toList();
  }

  @Test
  void closedShardThatLiesWhollyBeforeTheInstantEndsClosedWithNothing() throws IOException {
    put(FIRST, 5);
    stream.split(FIRST, T.minusSeconds(500));
    ShardSplitReader reader = reader(ReadStart.at(T.minusSeconds(400)));
    add(reader, ShardSplit.toRead(Given.shard(FIRST)));
    List<ShardItem> items = readToTheEnd(reader, 1);
    assertThat(passed(items)).isZero();
    assertThat(items).last().isEqualTo(new ShardItem.End(EndReason.CLOSED));
  }

  @Test
  void iteratorThatExpiresBeforeTheFirstRecordIsAskedForAgainFromTheInstant() throws IOException {
    put(FIRST, 25);
    stream.readStyle(ReadStyle.AWS.pageRecords(10));
    Instant instant = T.minusSeconds(600).plusMillis(5);
    kinesis.faults().on("GetRecords").times(1).emptyPage();
    kinesis.faults().on("GetRecords").times(2).expiredIterator();
    kinesis.faults().on("GetRecords").after(1).times(1).expiredIterator();
    ShardSplitReader reader = reader(ReadStart.at(instant));
    add(reader, ShardSplit.toRead(Given.shard(FIRST)));
    assertThat(passed(readToTheEnd(reader, 1))).isEqualTo(20);
    assertThat(iteratorTypes())
        .containsExactly("AT_TIMESTAMP", "AT_TIMESTAMP", "AT_TIMESTAMP", "AFTER_SEQUENCE_NUMBER");
  }

  private static List<String> iteratorTypes() {
    return kinesis.calls().stream()
        .flatMap(call -> call.position().stream())
        .map(position -> position.split(" ")[0])
        .toList();
  }

  @Test
  void iteratorThatStaysEmptyAtTheHorizonIsAskedForAgainFromTheInstant() throws IOException {
    stream.put(FIRST, PutSpec.of("key", new byte[1], T.minusSeconds(1200)));
    stream.put(FIRST, PutSpec.of("key", new byte[1], T.minusSeconds(600)));
    // The first record goes between the giving of the iterator and its use.
    kinesis.faults().on("GetRecords").times(5).delay(Duration.ofMillis(200));
    ShardSplitReader reader = reader(ReadStart.at(T.minusSeconds(1800)));
    add(reader, ShardSplit.toRead(Given.shard(FIRST)));
    await().until(() -> !iteratorTypes().isEmpty());
    stream.trimBefore(T.minusSeconds(900));
    try {
      List<ShardItem> items = new ArrayList<>();
      while (items.stream().noneMatch(ShardItem.End.class::isInstance)) {
        items.addAll(items(reader.fetch()));
        kinesis.clock().advance(Duration.ofSeconds(10));
      }
      assertThat(arrivals(items)).containsExactly(T.minusSeconds(600));
      assertThat(iteratorTypes()).hasSizeGreaterThan(1).containsOnly("AT_TIMESTAMP");
    } finally {
      kinesis.clock().setOffset(Duration.ZERO);
    }
  }

  @Test
  void readingThatHasBegunGoesOnBehindItsLastRecordAndNotAtTheInstant() throws IOException {
    put(FIRST, 10);
    String third = stream.shard(FIRST).records().get(2).sequenceNumber();
    Mark last = new Mark(third, T.minusSeconds(600).plusMillis(2).toEpochMilli());
    ShardLedger begun =
        new ShardLedger(
            Given.shard(FIRST),
            Optional.of(last),
            Optional.of(last),
            Optional.empty(),
            1,
            100,
            0,
            0,
            0,
            0,
            OptionalLong.of(last.arrivalMillis()),
            Optional.empty(),
            ReadCost.NONE);
    ShardSplitReader reader = reader(ReadStart.at(T.minusSeconds(900)));
    add(reader, new ShardSplit(begun, ShardSplit.Stage.READ));
    assertThat(passed(readToTheEnd(reader, 1))).isEqualTo(7);
    assertThat(iteratorTypes()).containsExactly("AFTER_SEQUENCE_NUMBER");
  }

  @Test
  void openShardDoesNotEndAtTheTipBeforeTheServersClockHasPassed() throws IOException {
    kinesis.clock().freeze(T.plusSeconds(59));
    try {
      ShardSplitReader reader = reader();
      add(reader, ShardSplit.toRead(Given.shard(FIRST)));
      for (int i = 0; i < 20; i++) {
        assertThat(reader.fetch().finishedSplits()).isEmpty();
      }
      kinesis.clock().advance(Duration.ofSeconds(2)); // the Date header is rounded down
      assertThat(readToTheEnd(reader, 1)).last().isEqualTo(new ShardItem.End(EndReason.TIP));
    } finally {
      kinesis.clock().setOffset(Duration.ZERO);
    }
  }

  @Test
  void recordPastTheSlackEndsTheShardWhereverItsPageEnds() throws IOException {
    put(FIRST, 2);
    stream.put(FIRST, PutSpec.of("key", new byte[1], T.plusSeconds(60)));
    put(FIRST, 1); // arrived before T, though it stands behind
    ShardSplitReader reader = reader();
    add(reader, ShardSplit.toRead(Given.shard(FIRST)));
    List<ShardItem> items = readToTheEnd(reader, 1);
    assertThat(passed(items)).isEqualTo(3);
    assertThat(items).last().isEqualTo(new ShardItem.End(EndReason.BOUNDARY));
  }

  @Test
  void thousandEmptyPagesInMidDataAreNotTheEnd() throws IOException {
    put(FIRST, 5);
    kinesis.faults().on("GetRecords").times(1000).emptyPage();
    ShardSplitReader reader = reader();
    add(reader, ShardSplit.toRead(Given.shard(FIRST)));
    assertThat(passed(readToTheEnd(reader, 1))).isEqualTo(5);
  }

  @Test
  void throttledShardDoesNotHoldUpItsSibling() throws IOException {
    put(FIRST, 5);
    put(SECOND, 5);
    kinesis.faults().on("GetRecords").shard(FIRST).throttle();
    ShardSplitReader reader = reader();
    add(reader, ShardSplit.toRead(Given.shard(FIRST)), ShardSplit.toRead(Given.shard(SECOND)));
    assertThat(passed(readToTheEnd(reader, 1))).isEqualTo(5);
    kinesis.faults().clear();
    assertThat(passed(readToTheEnd(reader, 1))).isEqualTo(5);
  }

  @Test
  void readingAheadStopsWhenTheBudgetIsHeldWhateverThePagesWeigh() throws Exception {
    config.set(SourceOptions.BUFFER, MemorySize.ofMebiBytes(1));
    kinesis.faults().on("GetRecords").emptyPage();
    ShardSplitReader reader = reader();
    add(reader, ShardSplit.toRead(Given.shard(FIRST)));
    long before = -1;
    long now = calls();
    while (now != before) { // nothing is taken, so it must come to a halt
      Thread.sleep(500);
      before = now;
      now = calls();
    }
    assertThat(now).isBetween(1L, 1100L);
    kinesis.faults().clear();
    assertThat(readToTheEnd(reader, 1)).last().isEqualTo(new ShardItem.End(EndReason.TIP));
  }

  private static long calls() {
    return kinesis.calls().stream().map(Call::action).filter("GetRecords"::equals).count();
  }

  @Test
  void skippedShardEndsUnreadWithoutACall() throws IOException {
    ShardSplitReader reader = reader();
    add(reader, ShardSplit.toSkip(Given.shard(FIRST)));
    assertThat(readToTheEnd(reader, 1)).containsExactly(new ShardItem.End(EndReason.UNREAD));
    assertThat(kinesis.calls()).isEmpty();
  }

  @Test
  void endedShardIsNeverTakenAgain() {
    ShardSplit ended = ShardSplit.ended(Given.LEDGER);
    ShardSplitReader reader = reader();
    assertThatThrownBy(() -> add(reader, ended)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void wokenReaderAnswersWithNothing() throws IOException {
    ShardSplitReader reader = reader();
    reader.wakeUp();
    RecordsWithSplitIds<ShardItem> nothing = reader.fetch();
    assertThat(nothing.nextSplit()).isNull();
    assertThat(nothing.finishedSplits()).isEmpty();
  }

  @Test
  void vanishedShardEndsTheJobForGood() {
    kinesis.faults().on("GetRecords").notFound();
    ShardSplitReader reader = reader();
    add(reader, ShardSplit.toRead(Given.shard(FIRST)));
    assertThatThrownBy(() -> readToTheEnd(reader, 1))
        .isInstanceOf(SuppressRestartsException.class)
        .cause()
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(FIRST);
  }

  @Test
  void unknownAnswerFailsTheJobWithoutARetry() {
    kinesis.faults().on("GetRecords").refuse("NeverHeardOfException", 400);
    ShardSplitReader reader = reader();
    add(reader, ShardSplit.toRead(Given.shard(FIRST)));
    assertThatThrownBy(() -> readToTheEnd(reader, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(FIRST)
        .hasMessageContaining("GetRecords")
        .hasMessageContaining("UNKNOWN");
    assertThat(calls()).isEqualTo(1);
  }

  @Test
  void keyOfTheStreamThatCannotBeUsedFailsTheJobWithoutARetry() {
    kinesis.faults().on("GetRecords").refuse("KMSAccessDeniedException", 400);
    ShardSplitReader reader = reader();
    add(reader, ShardSplit.toRead(Given.shard(FIRST)));
    assertThatThrownBy(() -> readToTheEnd(reader, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(FIRST)
        .hasMessageContaining("KEY_UNUSABLE");
    assertThat(calls()).isEqualTo(1);
  }

  @Test
  void serverErrorsFailTheJobAfterTheRetryTimeout() {
    config.set(SourceOptions.RETRY_TIMEOUT, Duration.ofMillis(300));
    kinesis.faults().on("GetRecords").internalFailure();
    ShardSplitReader reader = reader();
    add(reader, ShardSplit.toRead(Given.shard(FIRST)));
    assertThatThrownBy(() -> readToTheEnd(reader, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("TRANSIENT");
    assertThat(calls()).isGreaterThan(1);
  }

  /** Such an answer never tells when T has passed; no restart mends it. */
  @Test
  void answerWithoutADateEndsTheJobForGood() throws IOException {
    try (ServerSocket dateless = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread server = new Thread(() -> serve(dateless));
      server.setDaemon(true);
      server.start();
      config.set(KinesisOptions.ENDPOINT, "http://127.0.0.1:" + dateless.getLocalPort());
      ShardSplitReader reader = reader();
      add(reader, ShardSplit.toRead(Given.shard(FIRST)));
      assertThatThrownBy(() -> readToTheEnd(reader, 1))
          .isInstanceOf(SuppressRestartsException.class)
          .cause()
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("Date header");
    }
  }

  /** Answers whatever is asked with an iterator and an empty page, in CBOR. */
  private static void serve(ServerSocket server) {
    try {
      while (true) {
        try (Socket client = server.accept()) {
          skipRequest(client.getInputStream());
          ByteArrayOutputStream body = new ByteArrayOutputStream();
          body.write(0xA3);
          text(body, "ShardIterator");
          text(body, "at");
          text(body, "NextShardIterator");
          text(body, "next");
          text(body, "Records");
          body.write(0x80);
          String head =
              "HTTP/1.1 200 OK\r\nContent-Type: application/x-amz-cbor-1.1\r\nConnection: close"
                  + "\r\nContent-Length: "
                  + body.size()
                  + "\r\n\r\n";
          client.getOutputStream().write(head.getBytes(US_ASCII));
          client.getOutputStream().write(body.toByteArray());
          client.getOutputStream().flush();
        }
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private static void text(ByteArrayOutputStream out, String text) {
    out.write(0x60 | text.length());
    out.writeBytes(text.getBytes(US_ASCII));
  }

  private static void skipRequest(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      head.append((char) in.read());
    }
    int length =
        head.toString()
            .lines()
            .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
            .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
            .findFirst()
            .orElse(0);
    in.readNBytes(length);
  }
}
