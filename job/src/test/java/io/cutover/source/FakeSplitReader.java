package io.cutover.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;

/** Serves the pages that the test puts in. */
final class FakeSplitReader implements SplitReader<ShardItem, ShardSplit> {

  private final BlockingQueue<ShardPage> pages = new LinkedBlockingQueue<>();
  private final Queue<ShardSplit> added = new ConcurrentLinkedQueue<>();

  void page(String shardId, boolean ends, ShardItem... items) {
    pages.add(new ShardPage(shardId, List.of(items), ends, () -> {}));
  }

  /** The shards that the reader gave to read. */
  List<ShardSplit> added() {
    return new ArrayList<>(added);
  }

  @Override
  public RecordsWithSplitIds<ShardItem> fetch() {
    try {
      return pages.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ShardPage.none();
    }
  }

  @Override
  public void handleSplitsChanges(SplitsChange<ShardSplit> change) {
    added.addAll(change.splits());
  }

  @Override
  public void wakeUp() {
    pages.add(ShardPage.none());
  }

  @Override
  public void close() {}
}
