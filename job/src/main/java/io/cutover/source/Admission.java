package io.cutover.source;

import java.io.Serializable;

/**
 * Whether a run of the copy may begin, and go on. Runs on the JobManager. Each throws {@link
 * io.cutover.Refusal} to end the job for good; anything else fails it, so that it is tried again.
 */
public interface Admission extends Serializable {

  /** Nothing to ask. */
  Admission UNCONDITIONAL = new Unconditional();

  /**
   * Before any task is deployed, so before a sink could fence another's transactions; quick. Once
   * for each run, whether it begins anew or takes a checkpoint or savepoint up.
   */
  default void beforeTasks(boolean anew) {}

  /**
   * Before the first shard is given out, and only when the copy begins anew: what is taken up may
   * have T behind the horizon and part of the copy in the topic. May take long.
   *
   * @return what was found, for whoever ends the copy; kept in checkpoints, and told behind the
   *     last record ({@link LineageOutput.SubtaskDone})
   */
  default String beforeFirstShard() {
    return "";
  }

  /** When a checkpoint or savepoint was taken up. Beside the work; may take long. */
  default void afterRestore() {}

  /** Every few seconds while the run goes on. */
  default void stillOn() {}

  /** The run is over; the job has ended, failed or been cancelled. */
  default void over() {}

  /** For a reader that writes nothing. */
  final class Unconditional implements Admission {
    private static final long serialVersionUID = 1L;
  }
}
