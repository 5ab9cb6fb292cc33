package io.cutover.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutover.CommandLineRig;
import io.cutover.CommandLineRig.Said;
import io.cutover.config.CutoverConfig;
import io.cutover.local.kafka.EmbeddedKafka;
import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.KinesisEmulator;
import io.cutover.rig.CopyOracle;
import io.cutover.rig.Producer;
import io.cutover.rig.Producer.Written;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * One cutover: a stream on an emulator of its own, a topic of a shared broker, a folder, and the
 * commands in this JVM. Write a stream, {@link #copy} it, then damage the topic by the {@link
 * #surgeon}, the stream by its emulator, or the folder's files; {@link #truth} says what a
 * reconciliation must find, and {@link #heal} puts the topic's contents back.
 */
final class TruthRig implements AutoCloseable {

  static final String STREAM = "orders";
  static final Duration WINDOW = Duration.ofHours(1);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final KinesisEmulator kinesis = KinesisEmulator.start();
  private final Producer producer;
  private final TopicSurgeon surgeon;
  private final CommandLineRig line;
  private final Path dir;
  private final String topic = "orders-" + UUID.randomUUID();
  private final int partitions;
  private final Instant t;

  private List<ConsumerRecord<byte[], byte[]>> copied = List.of();
  private int writtenBeforeCopy;

  /** A broker for all rigs of a test class; it looks every second what retention may take. */
  static EmbeddedKafka broker() {
    return EmbeddedKafka.start(
        Map.of("log.retention.check.interval.ms", "1000", "log.initial.task.delay.ms", "1000"));
  }

  /** T lies a quarter of an hour back, so that no reader has to wait for any slack. */
  TruthRig(EmbeddedKafka kafka, Path dir, int shards, int partitions) {
    this.dir = dir;
    this.partitions = partitions;
    this.t = kinesis.clock().instant().minus(Duration.ofMinutes(15)).truncatedTo(ChronoUnit.MILLIS);
    EmulatedStream stream = kinesis.createStream(STREAM, shards, t.minus(Duration.ofDays(20)));
    stream.retention(Duration.ofDays(30));
    producer = new Producer(stream);
    kafka.createTopic(
        topic, partitions, Map.of("retention.ms", "-1", "max.message.bytes", "2097152"));
    surgeon = new TopicSurgeon(kafka.bootstrapServers(), topic);
    line = new CommandLineRig(dir, kinesis.endpoint(), STREAM, kafka.bootstrapServers(), topic);
    line.set("pin.boundary", t.toString());
    line.set("backfill.checkpoint-interval", "300 ms");
    line.set("source.shard.get-records.max-calls-per-second", "10000");
    line.set("source.shard.get-records.max-bytes-per-second", "10 gb");
    line.set("source.shard.get-records.idle-source-interval", "50 ms");
    line.set("source.shard.discovery.interval", "100 ms");
  }

  KinesisEmulator kinesis() {
    return kinesis;
  }

  EmulatedStream stream() {
    return producer.stream();
  }

  Producer producer() {
    return producer;
  }

  TopicSurgeon surgeon() {
    return surgeon;
  }

  /** The options, and the commands of the job's jar. */
  CommandLineRig line() {
    return line;
  }

  String topic() {
    return topic;
  }

  /** The configuration that the commands get. */
  Configuration config() {
    Map<String, String> options = new HashMap<>();
    for (String argument : line.line("reconcile")) {
      int equals = argument.indexOf('=');
      if (equals > 0) {
        options.put(argument.substring(0, equals), argument.substring(equals + 1));
      }
    }
    return CutoverConfig.load(Optional.empty(), options);
  }

  int partitions() {
    return partitions;
  }

  Instant t() {
    return t;
  }

  /** A file of {@code cutover.dir}. */
  Path file(String name) {
    return dir.resolve(name);
  }

  /** What the copy left in {@code cutover.dir}, to be damaged. */
  TruthFiles files() {
    return new TruthFiles(file("backfill-report.json"), file("witness.jsonl"));
  }

  /** Pins and copies; the copy is right. */
  TruthRig copy() {
    line.pin();
    Said said = line.run("backfill");
    assertThat(said.code()).as(said.out()).isZero();
    copied = surgeon.contents();
    writtenBeforeCopy = producer.written().size();
    CopyOracle.assertExact(copied, producer, t, partitions);
    return this;
  }

  /** The topic holds again what the backfill copied. */
  void heal() {
    surgeon.restore(copied);
  }

  Said reconcile(String... more) {
    return line.run(new ReconcileJob(), "reconcile", more);
  }

  /** The last {@code verdict.json}. */
  JsonNode verdict() {
    return json(file("verdict.json"));
  }

  /** What the last verdict says of the records that differ: the lines of the file it names. */
  List<JsonNode> differences() {
    Path file = file(verdict().at("/differences/listing/file").asText());
    try {
      List<JsonNode> lines = new ArrayList<>();
      for (String text : Files.readAllLines(file)) {
        lines.add(JSON.readTree(text));
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static JsonNode json(Path file) {
    try {
      return JSON.readTree(file.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String pinId() {
    return json(file("pin.json")).path("id").asText();
  }

  /** What a reconciliation of all of the copy must find now. */
  Truth truth() {
    return truth(terms());
  }

  Truth truth(TruthTerms terms) {
    return VerdictOracle.of(terms, producer.written(), surgeon.contents());
  }

  /** All of the copy; no record may differ. */
  TruthTerms terms() {
    return new TruthTerms(
        pinId(),
        Optional.empty(),
        t,
        t,
        WINDOW,
        partitions,
        true,
        parents(),
        behindTheStop(),
        Optional.empty());
  }

  private Map<String, List<String>> parents() {
    Map<String, List<String>> parents = new HashMap<>();
    for (EmulatedShard shard : stream().shards()) {
      parents.put(
          shard.id(),
          Stream.of(shard.parent(), shard.adjacentParent()).flatMap(Optional::stream).toList());
    }
    return parents;
  }

  /** What came into the stream when the copy was complete. */
  private Set<String> behindTheStop() {
    List<Written> written = producer.written();
    return written.subList(writtenBeforeCopy, written.size()).stream()
        .map(Written::origin)
        .collect(Collectors.toSet());
  }

  // ---- what there is to damage

  /** What was copied of a shard, in the order in which it was written. */
  List<Written> copiedOf(String shard) {
    return producer.written().subList(0, writtenBeforeCopy).stream()
        .filter(written -> written.shardId().equals(shard) && written.arrival().isBefore(t))
        .toList();
  }

  /** The members of the first aggregate of a shard. */
  List<Written> membersOf(String shard) {
    List<Written> members =
        copiedOf(shard).stream().filter(w -> w.subSequence().isPresent()).toList();
    return members.stream()
        .filter(member -> member.sequence().equals(members.get(0).sequence()))
        .toList();
  }

  /** A record as it was copied. */
  ProducerRecord<byte[], byte[]> copyOf(String origin) {
    return new TopicDraft(topic, copied).record(origin);
  }

  /** The partition in which the copy of a record stands. */
  int partitionOf(String origin) {
    return copied.stream()
        .filter(record -> VerdictOracle.origin(record).equals(Optional.of(origin)))
        .findFirst()
        .orElseThrow()
        .partition();
  }

  /** The origins of a shard's records in one partition, in order. */
  List<String> lane(String shard, int partition) {
    return copiedOf(shard).stream()
        .map(Written::origin)
        .filter(origin -> partitionOf(origin) == partition)
        .toList();
  }

  @Override
  public void close() {
    surgeon.close();
    kinesis.close();
  }
}
