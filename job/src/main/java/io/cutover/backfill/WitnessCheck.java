package io.cutover.backfill;

import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.source.ShardLedger;
import io.cutover.tally.Tallies;
import io.cutover.tally.Tally;
import io.cutover.tally.Windows;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Holds the witness against what else is known of the copy. */
record WitnessCheck(Windows windows, Tallies witness) {

  private static final int MOST_NAMED = 5;

  /**
   * The ledgers are counted elsewhere, over the same records.
   *
   * @throws Refusal when the two do not agree: a fault of this program
   */
  void againstLedgers(Collection<ShardLedger> ledgers) {
    TreeSet<String> unknown = new TreeSet<>(witness.byShard().keySet());
    for (ShardLedger ledger : ledgers) {
      String shard = ledger.shard().id();
      unknown.remove(shard);
      Collection<Tally> tallies = witness.byShard().getOrDefault(shard, new TreeMap<>()).values();
      long records = tallies.stream().mapToLong(Tally::count).sum();
      long bytes = tallies.stream().mapToLong(Tally::bytes).sum();
      if (records != ledger.records() || bytes != ledger.bytes()) {
        throw new Refusal(
            Reason.WITNESS_DISAGREES,
            "shard "
                + shard
                + ": the ledger has "
                + ledger.records()
                + " records of "
                + ledger.bytes()
                + " bytes, the witness "
                + records
                + " of "
                + bytes
                + ": a fault of this program, which is not to be trusted with this copy");
      }
    }
    if (!unknown.isEmpty()) {
      throw new Refusal(
          Reason.WITNESS_DISAGREES, "the witness has shards without a ledger: " + unknown);
    }
  }

  /**
   * What the topic holds of the copy.
   *
   * @throws Refusal naming the windows that differ
   */
  void againstTopic(Tallies topic) {
    List<String> differences = new ArrayList<>();
    for (String shard : Tallies.shardsOf(witness, topic)) {
      SortedMap<Long, Tally> read = witness.byShard().getOrDefault(shard, new TreeMap<>());
      SortedMap<Long, Tally> held = topic.byShard().getOrDefault(shard, new TreeMap<>());
      TreeSet<Long> indexes = new TreeSet<>(read.keySet());
      indexes.addAll(held.keySet());
      for (long index : indexes) {
        Optional<Tally> one = Optional.ofNullable(read.get(index));
        Optional<Tally> other = Optional.ofNullable(held.get(index));
        if (!one.equals(other)) {
          differences.add(difference(shard, index, one, other));
        }
      }
    }
    if (!differences.isEmpty()) {
      throw new Refusal(Reason.RECORDS_LOST, message(differences));
    }
  }

  private String difference(String shard, long index, Optional<Tally> read, Optional<Tally> held) {
    String span = shard + " from " + windows.start(index) + " to " + windows.end(index);
    return text(read).equals(text(held))
        ? span + ": other records than were read, though as many"
        : span + ": read " + text(read) + ", in the topic " + text(held);
  }

  private static String text(Optional<Tally> tally) {
    return tally.map(t -> t.count() + " records of " + t.bytes() + " bytes").orElse("nothing");
  }

  private static String message(List<String> differences) {
    return "the copy is not exact: a transaction was lost. "
        + String.join("; ", differences.subList(0, Math.min(MOST_NAMED, differences.size())))
        + (differences.size() > MOST_NAMED
            ? "; and " + (differences.size() - MOST_NAMED) + " windows more"
            : "")
        + ". The broker aborts a transaction that outlives transaction.timeout.ms: raise it above"
        + " the checkpoint interval and the longest restart, empty the topic and begin again";
  }
}
