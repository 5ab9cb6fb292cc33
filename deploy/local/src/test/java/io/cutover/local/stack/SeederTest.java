package io.cutover.local.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.KinesisEmulator;
import io.cutover.local.kinesis.StoredRecord;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeederTest {
  private static final Pattern REVISION =
      Pattern.compile("\"customer\":\"([^\"]+)\",\"revision\":(\\d+)");

  private final SeedPlan plan = SeedPlan.of(20_000, Instant.now());
  private final KinesisEmulator emulator = KinesisEmulator.start();

  @AfterEach
  void stop() {
    emulator.close();
  }

  private record UserRecord(EmulatedShard shard, Instant arrival, String key, String data) {}

  @Test
  void theSamePlanGivesTheSameStreamAndAnotherSeedAnother() {
    Seeder.seed(emulator, plan);
    List<String> first = contents(emulator.stream("events"));
    emulator.deleteStream("events");
    Seeder.seed(emulator, plan);
    assertThat(contents(emulator.stream("events"))).isEqualTo(first);

    emulator.deleteStream("events");
    Seeder.seed(emulator, new SeedPlan("events", plan.records(), plan.boundary(), 2));
    assertThat(contents(emulator.stream("events"))).isNotEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 7, 500, 20_000})
  void theSummaryIsWhatTheStreamHolds(long records) throws Exception {
    SeedSummary summary =
        Seeder.seed(emulator, new SeedPlan("events", records, plan.boundary(), 1));

    EmulatedStream stream = emulator.stream("events");
    List<UserRecord> users = userRecords(stream);
    List<StoredRecord> stored = stored(stream);
    long aggregates = stored.stream().filter(r -> AggregateReader.isAggregate(r.data())).count();
    assertThat(summary)
        .isEqualTo(
            new SeedSummary(
                "events",
                plan.boundary(),
                users.stream().filter(u -> u.arrival().isBefore(plan.boundary())).count(),
                users.stream().filter(u -> !u.arrival().isBefore(plan.boundary())).count(),
                stored.size(),
                aggregates,
                users.size() - (stored.size() - aggregates),
                stream.shards().size(),
                users.stream().mapToLong(u -> u.data().length()).sum()));
    assertThat(summary.before()).isEqualTo(records);
    assertThat(summary.after()).isPositive();
  }

  @Test
  void theWeekHasThreeReshardsAndNothingThatHasExpired() {
    Seeder.seed(emulator, plan);

    EmulatedStream stream = emulator.stream("events");
    assertThat(stream.shards()).hasSize(7).allSatisfy(s -> assertThat(s.records()).isNotEmpty());
    assertThat(stream.openShards()).hasSize(3);
    assertThat(stream.shards()).filteredOn(s -> s.adjacentParent().isPresent()).hasSize(1);
    assertThat(stream.openShards().stream().map(EmulatedShard::start)).contains(BigInteger.ZERO);
    List<StoredRecord> stored = stored(stream);
    assertThat(stored)
        .allSatisfy(
            r ->
                assertThat(r.arrival())
                    .isBetween(plan.boundary().minus(Seeder.HISTORY), Instant.now()));
    assertThat(stream.horizon()).isBefore(plan.boundary().minus(Duration.ofHours(7 * 24 + 12)));
    assertThat(stream.shards())
        .allSatisfy(s -> assertThat(s.retained()).hasSameSizeAs(s.records()));
  }

  @Test
  void arrivalsStepBackAndRecordsOfBothSidesOfTheBoundaryStandMixed() {
    Seeder.seed(emulator, plan);

    int stepsBack = 0;
    int strays = 0;
    for (EmulatedShard shard : emulator.stream("events").shards()) {
      Instant highest = Instant.MIN;
      for (StoredRecord each : shard.records()) {
        stepsBack += each.arrival().isBefore(highest) ? 1 : 0;
        strays +=
            each.arrival().isBefore(plan.boundary()) && !highest.isBefore(plan.boundary()) ? 1 : 0;
        highest = each.arrival().isAfter(highest) ? each.arrival() : highest;
      }
    }
    assertThat(stepsBack).isGreaterThan(500);
    assertThat(strays).isPositive();
  }

  @Test
  void everyMemberLiesInItsShardAndEveryKeyKeepsItsOrder() throws Exception {
    Seeder.seed(emulator, plan);

    Map<String, Integer> revisions = new HashMap<>();
    for (UserRecord user : userRecords(emulator.stream("events"))) {
      BigInteger hash =
          new BigInteger(1, MessageDigest.getInstance("MD5").digest(bytes(user.key())));
      assertThat(hash).isBetween(user.shard().start(), user.shard().end());
      Matcher revision = REVISION.matcher(user.data());
      assertThat(revision.find()).isTrue();
      assertThat(revision.group(1)).isEqualTo(user.key());
      int number = Integer.parseInt(revision.group(2));
      assertThat(number).isEqualTo(revisions.getOrDefault(user.key(), 0) + 1);
      revisions.put(user.key(), number);
    }
    assertThat(revisions).hasSizeGreaterThan(500);
  }

  @Test
  void aPlanWithoutRecordsIsRefused() {
    assertThatThrownBy(() -> SeedPlan.of(0, Instant.now()))
        .hasMessage("A stream is seeded with at least 1 record, not 0");
  }

  /** In order of the shards' creation, so parents stand before their children. */
  private static List<StoredRecord> stored(EmulatedStream stream) {
    return stream.shards().stream().flatMap(shard -> shard.records().stream()).toList();
  }

  private static List<String> contents(EmulatedStream stream) {
    return stored(stream).stream()
        .map(
            r ->
                String.join(
                    "|",
                    r.shardId(),
                    r.sequenceNumber(),
                    r.partitionKey().orElse(""),
                    r.arrival().toString(),
                    new String(r.data(), StandardCharsets.ISO_8859_1)))
        .toList();
  }

  private static List<UserRecord> userRecords(EmulatedStream stream) throws Exception {
    List<UserRecord> users = new ArrayList<>();
    for (EmulatedShard shard : stream.shards()) {
      for (StoredRecord each : shard.records()) {
        if (!AggregateReader.isAggregate(each.data())) {
          String key = each.partitionKey().orElseThrow();
          String data = new String(each.data(), StandardCharsets.UTF_8);
          users.add(new UserRecord(shard, each.arrival(), key, data));
          continue;
        }
        assertThat(each.partitionKey()).isEqualTo(Optional.of("a"));
        for (AggregateReader.Member m : AggregateReader.members(each.data())) {
          users.add(new UserRecord(shard, each.arrival(), m.partitionKey(), m.data()));
        }
      }
    }
    return users;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
