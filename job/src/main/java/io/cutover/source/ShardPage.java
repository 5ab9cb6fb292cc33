package io.cutover.source;

import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;

/** The items of one shard's page as Flink's reader takes them. */
final class ShardPage implements RecordsWithSplitIds<ShardItem> {

  private static final Runnable NOTHING = () -> {};

  private final String shardId;
  private final Iterator<ShardItem> items;
  private final boolean ends;
  private final Runnable release;
  private boolean entered;

  /**
   * @param release run once when every item was taken
   */
  ShardPage(String shardId, List<ShardItem> items, boolean ends, Runnable release) {
    this.shardId = shardId;
    this.items = items.iterator();
    this.ends = ends;
    this.release = release;
  }

  /** What a woken reader answers with. */
  static ShardPage none() {
    ShardPage none = new ShardPage("", List.of(), false, NOTHING);
    none.entered = true;
    return none;
  }

  @Override
  @SuppressWarnings("ReturnsNullCollection") // null is the interface's word for no more splits
  public String nextSplit() {
    if (entered) {
      return null;
    }
    entered = true;
    return shardId;
  }

  @Override
  public ShardItem nextRecordFromSplit() {
    return items.hasNext() ? items.next() : null;
  }

  @Override
  public Set<String> finishedSplits() {
    return ends ? Set.of(shardId) : Set.of();
  }

  @Override
  public void recycle() {
    release.run();
  }
}
