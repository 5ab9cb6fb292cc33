package io.cutover.source;

import io.cutover.Refusal;
import io.cutover.kinesis.KinesisRecord;
import io.cutover.kpl.Deaggregator;
import io.cutover.lineage.EndReason;
import io.cutover.lineage.Shard;
import io.cutover.source.ShardPoller.Delivery;
import io.cutover.source.ShardReading.Fetched;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.util.ExceptionUtils;

/**
 * Hands the pages of a subtask's shards to Flink, taken apart into user records. Runs on the
 * fetcher thread of a TaskManager.
 */
final class ShardSplitReader implements SplitReader<ShardItem, ShardSplit> {

  private final ShardPoller poller;
  private final Map<String, Deaggregator> deaggregators = new HashMap<>();
  private final Queue<String> toSkip = new ArrayDeque<>();

  ShardSplitReader(ShardPoller poller) {
    this.poller = poller;
  }

  @Override
  public RecordsWithSplitIds<ShardItem> fetch() throws IOException {
    if (!toSkip.isEmpty()) {
      return new ShardPage(
          toSkip.remove(), List.of(new ShardItem.End(EndReason.UNREAD)), true, () -> {});
    }
    Delivery delivery;
    try {
      delivery = poller.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for Kinesis", e);
    }
    if (delivery instanceof Delivery.Failure failure) {
      throw failed(failure.cause());
    }
    return delivery instanceof Delivery.Items items ? page(items.fetched()) : ShardPage.none();
  }

  private static IOException failed(Throwable cause) {
    Optional<Refusal> refusal = ExceptionUtils.findThrowable(cause, Refusal.class);
    if (refusal.isPresent()) {
      throw new SuppressRestartsException(refusal.get());
    }
    return new IOException(cause.getMessage(), cause);
  }

  private ShardPage page(Fetched fetched) {
    String shardId = fetched.reading().shardId();
    Deaggregator deaggregator = deaggregators.get(shardId);
    List<KinesisRecord> records = fetched.page().records();
    List<ShardItem> items = new ArrayList<>(records.size() + 3);
    items.add(
        new ShardItem.PageRead(
            records.isEmpty(),
            fetched.throttles(),
            fetched.renewals(),
            fetched.page().serverTime().toEpochMilli(),
            fetched.page().millisBehindLatest()));
    for (KinesisRecord record : records) {
      items.add(new ShardItem.Passed(record, deaggregator.take(record)));
    }
    if (fetched.page().atTip()) {
      items.add(new ShardItem.CaughtUp(fetched.page().serverTime().toEpochMilli()));
    }
    fetched
        .end()
        .ifPresent(
            reason -> {
              items.add(new ShardItem.End(reason));
              deaggregators.remove(shardId);
            });
    return new ShardPage(
        shardId, items, fetched.end().isPresent(), () -> poller.emitted(fetched.heldBytes()));
  }

  @Override
  public void handleSplitsChanges(SplitsChange<ShardSplit> change) {
    if (!(change instanceof SplitsAddition<ShardSplit>)) {
      throw new UnsupportedOperationException("shards are only ever added, not " + change);
    }
    for (ShardSplit split : change.splits()) {
      switch (split.stage()) {
        case READ, READ_FROM_BIRTH -> {
          Shard shard = split.ledger().shard();
          deaggregators.put(shard.id(), new Deaggregator(shard.id(), shard.range()));
          poller.add(split);
        }
        case SKIP -> toSkip.add(split.splitId());
        case ENDED ->
            throw new IllegalStateException("shard " + split.splitId() + " has ended already");
      }
    }
  }

  @Override
  public void wakeUp() {
    poller.wake();
  }

  @Override
  public void close() {
    poller.close();
  }
}
