package io.cutover.source;

import io.cutover.lineage.EndReason;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.connector.source.SourceEvent;

/** What readers and the enumerator tell each other; every report may be repeated. */
sealed interface ReaderEvent extends SourceEvent {

  /** The shards' last records were handed to the producer. */
  record ShardsEnded(HashMap<String, EndReason> reasons) implements ReaderEvent {
    ShardsEnded(Map<String, EndReason> reasons) {
      this(new HashMap<>(reasons));
    }
  }

  /** A completed checkpoint holds these ends. */
  record ShardsCovered(HashMap<String, EndReason> reasons) implements ReaderEvent {
    ShardsCovered(Map<String, EndReason> reasons) {
      this(new HashMap<>(reasons));
    }
  }

  /** To the reader, before it is told that no more splits come: what a fresh start found. */
  record Admitted(String found) implements ReaderEvent {}

  /** The reader was restored with so many shards that are still to be read. */
  record ReaderRestored(int reading) implements ReaderEvent {}
}
