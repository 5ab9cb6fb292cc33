package io.cutover.source;

import io.cutover.lineage.Shard;
import java.util.Objects;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * One shard as Flink hands it about, with its ledger so far as the position.
 *
 * @param stage what is to be done with it
 */
public record ShardSplit(ShardLedger ledger, Stage stage) implements SourceSplit {

  public enum Stage {
    /** To be read behind the ledger's last record. */
    READ,
    /**
     * To be read likewise, and whole: its parents were listed, so nothing of it had expired when
     * the copy began, and nothing may have when its reading does.
     */
    READ_FROM_BIRTH,
    /** To be entered in the ledger as unread: an ancestor's reading passed T + slack. */
    SKIP,
    /** Ended; kept so that a restore knows it, and never read again. */
    ENDED
  }

  public ShardSplit {
    Objects.requireNonNull(stage);
    if (ledger.end().isPresent() != (stage == Stage.ENDED)) {
      throw new IllegalArgumentException(
          "shard " + ledger.shard().id() + " is at stage " + stage + " with end " + ledger.end());
    }
  }

  static ShardSplit toRead(Shard shard) {
    return new ShardSplit(ShardLedger.unread(shard), Stage.READ);
  }

  static ShardSplit toReadFromBirth(Shard shard) {
    return new ShardSplit(ShardLedger.unread(shard), Stage.READ_FROM_BIRTH);
  }

  static ShardSplit toSkip(Shard shard) {
    return new ShardSplit(ShardLedger.unread(shard), Stage.SKIP);
  }

  static ShardSplit ended(ShardLedger ledger) {
    return new ShardSplit(ledger, Stage.ENDED);
  }

  @Override
  public String splitId() {
    return ledger.shard().id();
  }
}
