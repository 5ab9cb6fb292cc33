package io.cutover.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.lineage.EndReason;
import io.cutover.source.Mark;
import io.cutover.source.ShardLedger;
import java.time.Instant;
import java.util.Optional;

/**
 * A shard's ledger as the report tells it: that of a copy, which reads from the trim horizon on.
 */
final class LedgerJson {

  private LedgerJson() {}

  static ObjectNode of(ShardLedger ledger, ExpiredUnread expired) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("shard", ledger.shard().id());
    var parents = json.putArray("parents");
    ledger.shard().parents().forEach(parents::add);
    json.put("startingHashKey", ledger.shard().range().start().toString())
        .put("endingHashKey", ledger.shard().range().end().toString())
        .put("readFrom", ledger.endReason() == EndReason.UNREAD ? "nowhere" : "TRIM_HORIZON")
        .put("stop", ledger.endReason().name());
    mark(json, "first", ledger.first());
    mark(json, "last", ledger.last());
    mark(json, "firstSkipped", ledger.firstSkipped());
    json.put("records", ledger.records())
        .put("bytes", ledger.bytes())
        .put("skipped", ledger.skipped())
        .put("aggregates", ledger.aggregates())
        .put("malformed", ledger.malformed())
        .put("outOfRange", ledger.outOfRange());
    expired.of(ledger).ifPresent(span -> span.putInto(json));
    return json;
  }

  private static void mark(ObjectNode json, String name, Optional<Mark> mark) {
    mark.ifPresent(
        m ->
            json.putObject(name)
                .put("sequence", m.sequenceNumber())
                .put("arrival", Instant.ofEpochMilli(m.arrivalMillis()).toString()));
  }
}
