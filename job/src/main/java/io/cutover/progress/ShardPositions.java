package io.cutover.progress;

import io.cutover.progress.ShardReached.Stage;
import java.io.Serializable;
import java.util.HashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.common.accumulators.Accumulator;
import org.apache.flink.api.common.accumulators.SimpleAccumulator;

/**
 * The furthest that the subtasks have come in each shard, on its way from them to the client with
 * the heartbeats. The task thread moves the {@link Cell}s while another thread sends them; a number
 * that is a record behind does no harm.
 */
final class ShardPositions implements SimpleAccumulator<HashMap<String, ShardReached>> {

  private static final long serialVersionUID = 1L;

  private final ConcurrentHashMap<String, Cell> cells = new ConcurrentHashMap<>();

  /** The place in one shard, moved for each record: two fields, nothing allocated. */
  static final class Cell implements Serializable {

    private static final long serialVersionUID = 1L;

    private long arrivalMillis;
    private Stage stage = Stage.READ;

    /** A record was read; arrival is not monotonic. */
    void read(long arrival) {
      if (arrival > arrivalMillis) {
        arrivalMillis = arrival;
      }
    }

    void reached(ShardReached reached) {
      ShardReached furthest = reached().furthest(reached);
      arrivalMillis = furthest.arrivalMillis();
      stage = furthest.stage();
    }

    private ShardReached reached() {
      return new ShardReached(arrivalMillis, stage);
    }
  }

  Cell of(String shardId) {
    return cells.computeIfAbsent(shardId, id -> new Cell());
  }

  @Override
  public void add(HashMap<String, ShardReached> reached) {
    reached.forEach((shard, far) -> of(shard).reached(far));
  }

  @Override
  public HashMap<String, ShardReached> getLocalValue() {
    HashMap<String, ShardReached> value = new HashMap<>();
    cells.forEach((shard, cell) -> value.put(shard, cell.reached()));
    return value;
  }

  @Override
  public void resetLocal() {
    cells.clear();
  }

  @Override
  public void merge(
      Accumulator<HashMap<String, ShardReached>, HashMap<String, ShardReached>> other) {
    add(other.getLocalValue());
  }

  @Override
  public ShardPositions clone() {
    ShardPositions copy = new ShardPositions();
    copy.add(getLocalValue());
    return copy;
  }
}
