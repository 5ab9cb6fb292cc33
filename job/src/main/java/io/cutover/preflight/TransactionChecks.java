package io.cutover.preflight;

import static io.cutover.preflight.CheckName.BROKER_TRANSACTION_TIMEOUT;
import static io.cutover.preflight.CheckName.COPY_TRANSACTIONS;
import static io.cutover.preflight.CheckName.TOPIC_TRANSACTIONS;
import static io.cutover.preflight.CheckName.TRANSACTIONAL_ID;
import static io.cutover.preflight.CheckName.TRANSACTION_TIMEOUT;

import io.cutover.config.BackfillOptions;
import io.cutover.config.PreflightOptions;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.KafkaOptions;
import io.cutover.kafka.TransactionalIds;
import io.cutover.pin.Pin;
import io.cutover.preflight.OpenTransactions.HeldUp;
import io.cutover.preflight.Told.Why;
import io.cutover.preflight.TopicFacts.Trial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ReadableConfig;

/** What must hold for the copy's transactions to be begun, and committed in time. */
final class TransactionChecks {

  private static final Remedy OWN =
      Remedy.advice(
          "either this very copy is running already, or a run of it was killed: let the running one"
              + " be; after a killed one take up its last checkpoint with flink run -s, or wait for"
              + " the transaction timeout and begin again");

  private final TopicFacts facts;
  private final ReadableConfig config;
  private final KafkaClientProperties kafka;
  private final Pin pin;
  private final KafkaCommands commands;

  TransactionChecks(
      TopicFacts facts,
      ReadableConfig config,
      KafkaClientProperties kafka,
      Pin pin,
      KafkaCommands commands) {
    this.facts = facts;
    this.config = config;
    this.kafka = kafka;
    this.pin = pin;
    this.commands = commands;
  }

  /** What is asked of the topic is left out where there is none. */
  List<Check> all() {
    List<Check> checks = new ArrayList<>();
    if (facts.topic().value().isPresent()) {
      checks.add(openOnTopic());
    }
    checks.add(openOfCopy());
    checks.add(transactionalId());
    checks.add(timeout());
    checks.add(brokersTimeout());
    return checks;
  }

  /** Readers of committed records stop at an open transaction, and look as if they were done. */
  private Check openOnTopic() {
    String wanted = "none open for long";
    return facts
        .openOnTopic()
        .fold(
            heldUp ->
                heldUp.isEmpty()
                    ? Check.pass(TOPIC_TRANSACTIONS, "none", wanted)
                    : Check.fail(
                        TOPIC_TRANSACTIONS,
                        heldUp.stream()
                            .map(TransactionChecks::spelled)
                            .collect(Collectors.joining("; ")),
                        wanted + ": readers of committed records wait there",
                        mend(heldUp)),
            untold ->
                Check.unknown(
                    TOPIC_TRANSACTIONS,
                    untold.detail(),
                    wanted,
                    Remedy.advice("run preflight again")));
  }

  /** The copy's own are never to be aborted by hand: its next run may still commit them. */
  private Remedy mend(List<HeldUp> heldUp) {
    return heldUp.stream().anyMatch(held -> held.by().contains(prefix()))
        ? OWN
        : commands.abortTransaction(heldUp.get(0).partition(), heldUp.get(0).lastStable());
  }

  private static String spelled(HeldUp held) {
    return "partition "
        + held.partition()
        + " from offset "
        + held.lastStable()
        + " on (of "
        + held.highWatermark()
        + "), by "
        + held.by();
  }

  private Check openOfCopy() {
    String wanted = "none: another run would be harmed";
    // Ids that may not be described are left out of the listing.
    if (facts.trial().outcome() == Trial.Outcome.DENIED) {
      return Check.unknown(
          COPY_TRANSACTIONS,
          "the copy's transactional ids may not be described",
          wanted,
          commands.allowTransactionalIds(prefix()));
    }
    return facts
        .openOfCopy()
        .fold(
            open ->
                Check.of(
                    COPY_TRANSACTIONS,
                    open.isEmpty(),
                    open.isEmpty() ? "none" : String.join(", ", open),
                    wanted,
                    OWN),
            untold ->
                Check.unknown(
                    COPY_TRANSACTIONS,
                    untold.detail(),
                    wanted,
                    Remedy.advice("run preflight again")));
  }

  private Check transactionalId() {
    String wanted = "WRITE on ids that begin with " + prefix();
    Trial trial = facts.trial();
    return switch (trial.outcome()) {
      case TAKEN, TIMEOUT_TOO_LONG -> Check.pass(TRANSACTIONAL_ID, "may be taken", wanted);
      case DENIED ->
          Check.fail(
              TRANSACTIONAL_ID, trial.detail(), wanted, commands.allowTransactionalIds(prefix()));
      case UNANSWERED ->
          Check.unknown(
              TRANSACTIONAL_ID, trial.detail(), wanted, Remedy.advice("run preflight again"));
    };
  }

  private String prefix() {
    return TransactionalIds.prefix(pin.id(), pin.topic().name());
  }

  /** The broker aborts what outlives the timeout, and with it the records. */
  private Check timeout() {
    Duration interval = config.get(BackfillOptions.CHECKPOINT_INTERVAL);
    Duration restart = config.get(PreflightOptions.LONGEST_RESTART);
    Duration needed = interval.plus(restart);
    return Check.of(
        TRANSACTION_TIMEOUT,
        kafka.transactionTimeout().compareTo(needed) >= 0,
        "transaction.timeout.ms " + Spelled.millis(kafka.transactionTimeout().toMillis()),
        "at least "
            + Spelled.duration(needed)
            + ": checkpoint interval "
            + Spelled.duration(interval)
            + " and restart "
            + Spelled.duration(restart),
        Remedy.advice(
            "in the file that "
                + KafkaOptions.CLIENT_PROPERTIES.key()
                + " names: transaction.timeout.ms="
                + needed.toMillis()
                + "; or lower "
                + BackfillOptions.CHECKPOINT_INTERVAL.key()
                + " or "
                + PreflightOptions.LONGEST_RESTART.key()));
  }

  private Check brokersTimeout() {
    long ours = kafka.transactionTimeout().toMillis();
    String wanted = "at least transaction.timeout.ms, " + Spelled.millis(ours);
    Remedy remedy =
        Remedy.advice(
            "on the brokers: transaction.max.timeout.ms="
                + ours
                + "; or a lower transaction.timeout.ms in the file that "
                + KafkaOptions.CLIENT_PROPERTIES.key()
                + " names");
    if (facts.trial().outcome() == Trial.Outcome.TIMEOUT_TOO_LONG) {
      String maximum =
          facts.transactionMaxTimeoutMillis().value().map(Spelled::millis).orElse("less");
      return Check.fail(
          BROKER_TRANSACTION_TIMEOUT, "transaction.max.timeout.ms " + maximum, wanted, remedy);
    }
    return facts
        .transactionMaxTimeoutMillis()
        .fold(
            maximum ->
                Check.of(
                    BROKER_TRANSACTION_TIMEOUT,
                    maximum >= ours,
                    "transaction.max.timeout.ms " + Spelled.millis(maximum),
                    wanted,
                    remedy),
            untold ->
                Check.unknown(
                    BROKER_TRANSACTION_TIMEOUT,
                    (untold.why() == Why.DENIED ? "may not be described" : untold.detail())
                        + (facts.trial().outcome() == Trial.Outcome.TAKEN
                            ? "; one broker took " + Spelled.millis(ours)
                            : ""),
                    wanted,
                    untold.why() == Why.DENIED
                        ? commands.allowClusterConfigs()
                        : Remedy.advice("ask who runs the brokers, then waive this check")));
  }
}
