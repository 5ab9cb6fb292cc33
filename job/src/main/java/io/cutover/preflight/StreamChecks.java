package io.cutover.preflight;

import static io.cutover.preflight.CheckName.KINESIS_REACHABLE;
import static io.cutover.preflight.CheckName.KINESIS_RIGHTS;
import static io.cutover.preflight.CheckName.STREAM_ACTIVE;
import static io.cutover.preflight.CheckName.STREAM_BOUNDARY;
import static io.cutover.preflight.CheckName.STREAM_DISTRIBUTION;
import static io.cutover.preflight.CheckName.STREAM_HEADROOM;
import static io.cutover.preflight.CheckName.STREAM_PINNED;
import static io.cutover.preflight.CheckName.STREAM_SHARDS;

import io.cutover.Refusal;
import io.cutover.config.PinOptions;
import io.cutover.kafka.KafkaOptions;
import io.cutover.kinesis.KinesisOptions;
import io.cutover.kinesis.StreamDescription;
import io.cutover.lineage.Shard;
import io.cutover.pin.Pin;
import io.cutover.pin.PinCheck;
import io.cutover.pin.Retention;
import io.cutover.preflight.Told.Why;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ReadableConfig;

/** What the stream must be for the copy to begin. Asks nobody. */
final class StreamChecks {

  private final StreamFacts facts;
  private final ReadableConfig config;
  private final Pin pin;

  StreamChecks(StreamFacts facts, ReadableConfig config, Pin pin) {
    this.facts = facts;
    this.config = config;
    this.pin = pin;
  }

  /** Without an answer one row; without a stream or the right to describe it those that remain. */
  List<Check> all() {
    return facts.stream()
        .fold(this::allOf, untold -> allWithout(untold.why(), firstSentence(untold.detail())));
  }

  private List<Check> allWithout(Why why, String detail) {
    return switch (why) {
      case DENIED -> {
        List<Check> checks = new ArrayList<>(List.of(reachable(), rights()));
        shards().ifPresent(checks::add);
        yield checks;
      }
      case MISSING ->
          List.of(
              reachable(),
              Check.fail(
                  STREAM_ACTIVE,
                  "there is no stream " + pin.stream().name(),
                  "ACTIVE",
                  Remedy.advice(
                      "check "
                          + KinesisOptions.REGION.key()
                          + " and the account of the credentials; if the stream was deleted, its"
                          + " history is gone")));
      default ->
          List.of(
              Check.fail(
                  KINESIS_REACHABLE,
                  detail,
                  "an answer from " + facts.address(),
                  Remedy.advice(
                      "check "
                          + KinesisOptions.ENDPOINT.key()
                          + " or "
                          + KinesisOptions.REGION.key()
                          + ", "
                          + KinesisOptions.CREDENTIALS_PROVIDER.key()
                          + ", and the network between")));
    };
  }

  private List<Check> allOf(StreamDescription stream) {
    List<Check> checks =
        new ArrayList<>(
            List.of(
                reachable(),
                rights(),
                active(stream),
                pinned(stream),
                distribution(stream),
                boundary(stream),
                headroom(stream)));
    shards().ifPresent(checks::add);
    return checks;
  }

  private Check reachable() {
    return Check.pass(KINESIS_REACHABLE, "answers", "an answer from " + facts.address());
  }

  private Check rights() {
    Map<String, Told<?>> calls = new LinkedHashMap<>();
    calls.put("kinesis:DescribeStreamSummary", facts.stream());
    calls.put("kinesis:ListShards", facts.shards());
    calls.put("kinesis:GetShardIterator", facts.iterator());
    calls.put("kinesis:GetRecords", facts.page());
    List<String> denied = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    calls.forEach(
        (action, told) -> {
          if (told instanceof Told.Untold<?> untold) {
            (untold.why() == Why.DENIED ? denied : unknown).add(action);
          }
        });
    String wanted = String.join(", ", calls.keySet());
    if (!denied.isEmpty()) {
      return Check.fail(
          KINESIS_RIGHTS,
          "denied: " + String.join(", ", denied),
          wanted,
          Remedy.advice(
              "allow "
                  + String.join(", ", denied)
                  + " on "
                  + pin.stream().arn()
                  + " in the IAM policy of the principal that "
                  + KinesisOptions.CREDENTIALS_PROVIDER.key()
                  + " gives"));
    }
    if (facts.page() instanceof Told.Untold<?> untold && untold.why() == Why.KEY_UNUSABLE) {
      return Check.fail(
          KINESIS_RIGHTS,
          "the stream's KMS key cannot be used: " + firstSentence(untold.detail()),
          wanted + ", and kms:Decrypt on the key of an encrypted stream",
          Remedy.advice(
              "allow kms:Decrypt on the stream's KMS key, in the policy of the principal that "
                  + KinesisOptions.CREDENTIALS_PROVIDER.key()
                  + " gives and in the key's own, and see to it that the key is enabled and is not"
                  + " being deleted"));
    }
    if (!unknown.isEmpty()) {
      return Check.unknown(
          KINESIS_RIGHTS,
          "no answer to " + String.join(", ", unknown),
          wanted,
          Remedy.advice("run preflight again"));
    }
    return Check.pass(KINESIS_RIGHTS, "all four calls were answered", wanted);
  }

  private Check active(StreamDescription stream) {
    return Check.of(
        STREAM_ACTIVE,
        stream.status().equals("ACTIVE"),
        stream.status(),
        "ACTIVE",
        Remedy.command("aws kinesis wait stream-exists --stream-name " + stream.name()));
  }

  private Check pinned(StreamDescription stream) {
    boolean sameArn = stream.arn().equals(pin.stream().arn());
    return Check.of(
        STREAM_PINNED,
        holds(() -> PinCheck.stream(pin, stream)),
        (sameArn ? "" : stream.arn() + ", ") + "created at " + stream.createdAt(),
        (sameArn ? "" : pin.stream().arn() + ", ") + "created at " + pin.stream().createdAt(),
        Remedy.advice(
            "the pinned stream's history is gone; to copy the new stream, pin it into another"
                + " cutover.dir and another topic"));
  }

  /** AUTO ignored the partition keys; an on-demand stream that does not tell may have. */
  private Check distribution(StreamDescription stream) {
    boolean none = config.get(KafkaOptions.KEY) == KafkaOptions.Key.NONE;
    boolean stated = config.getOptional(KafkaOptions.KEY).isPresent();
    Optional<String> strategy = stream.distributionStrategy();
    boolean onDemand = stream.mode().equals(Optional.of("ON_DEMAND"));
    String wanted = none ? "any, since kafka.key is none" : "USER_PARTITION_KEY";
    String found = strategy.orElse("not told") + stream.mode().map(mode -> ", " + mode).orElse("");
    if (strategy.isEmpty() && onDemand && !stated) {
      return Check.unknown(
          STREAM_DISTRIBUTION,
          found,
          wanted,
          Remedy.advice(
              "set "
                  + KafkaOptions.KEY.key()
                  + ": partition-key if you know that the stream was never AUTO, else "
                  + KafkaOptions.KEY.key()
                  + ": none"));
    }
    return Check.of(
        STREAM_DISTRIBUTION,
        none || !strategy.equals(Optional.of("AUTO")),
        strategy.isEmpty() && !onDemand ? found + ": by partition key" : found,
        wanted,
        Remedy.advice(
            "the stream ignores its partition keys, so there is no order by key to copy; set "
                + KafkaOptions.KEY.key()
                + ": none to copy it without keys"));
  }

  private Check boundary(StreamDescription stream) {
    // The server's clock comes in whole seconds, rounded down.
    Instant latest = stream.serverTime().plusSeconds(1);
    boolean past = !pin.boundary().isAfter(latest);
    return Check.of(
        STREAM_BOUNDARY,
        past && holds(() -> PinCheck.boundary(pin, stream)),
        "T is " + pin.boundary(),
        "after the trim horizon " + stream.horizon() + ", not after " + stream.serverTime(),
        Remedy.advice(
            past
                ? "nothing from before T is left to copy: raise the stream's retention, then pin"
                    + " anew with another cutover.dir"
                : "wait until T has passed, or pin anew with another cutover.dir"));
  }

  private Check headroom(StreamDescription stream) {
    Duration wanted = config.get(PinOptions.HEADROOM);
    Optional<Duration> headroom = PinCheck.headroom(pin, stream);
    String asked = "at least " + Spelled.duration(wanted) + " (" + PinOptions.HEADROOM.key() + ")";
    if (headroom.isEmpty()) {
      return Check.pass(STREAM_HEADROOM, "the stream held no record", asked);
    }
    Duration left = headroom.get();
    String found =
        left.isNegative()
            ? "the oldest record expired " + Spelled.duration(left.negated()) + " ago"
            : "the oldest record expires in " + Spelled.duration(left);
    return Check.of(
        STREAM_HEADROOM,
        wanted.isZero() || left.compareTo(wanted) >= 0,
        found,
        wanted.isZero() ? "anything: " + PinOptions.HEADROOM.key() + " is 0" : asked,
        Remedy.command(Retention.raise(stream.arn(), stream.retention(), left, wanted)));
  }

  /** A pinned shard that is not listed any more has expired with what it held. */
  private Optional<Check> shards() {
    return facts
        .shards()
        .value()
        .map(
            listed -> {
              Set<String> ids = listed.stream().map(Shard::id).collect(Collectors.toSet());
              List<String> gone =
                  pin.shards().stream().map(Shard::id).filter(id -> !ids.contains(id)).toList();
              return Check.of(
                  STREAM_SHARDS,
                  gone.isEmpty(),
                  gone.isEmpty()
                      ? listed.size() + " shards listed"
                      : "no longer listed: " + String.join(", ", gone),
                  "the " + pin.shards().size() + " pinned shards, and any newer ones",
                  Remedy.advice(
                      "their records expired unread: raise the retention, and pin anew with another"
                          + " cutover.dir"));
            });
  }

  private static boolean holds(Runnable check) {
    try {
      check.run();
      return true;
    } catch (Refusal refused) {
      return false;
    }
  }

  private static String firstSentence(String text) {
    return text.lines().findFirst().orElse("");
  }
}
