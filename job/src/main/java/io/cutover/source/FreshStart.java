package io.cutover.source;

import java.io.Serializable;

/**
 * What must hold before a copy begins, asked only when it begins anew: never when a checkpoint or
 * savepoint is taken up. Runs on the JobManager. Both throw {@link io.cutover.Refusal} to refuse.
 */
public interface FreshStart extends Serializable {

  /** Nothing to ask. */
  FreshStart UNCONDITIONAL = new Unconditional();

  /** Before any task is deployed, so before a sink could fence another's transactions; quick. */
  void beforeTasks();

  /** Before the first shard is given out; may take long. */
  void beforeFirstShard();

  /** For a reader that writes nothing. */
  final class Unconditional implements FreshStart {
    @Override
    public void beforeTasks() {}

    @Override
    public void beforeFirstShard() {}
  }
}
