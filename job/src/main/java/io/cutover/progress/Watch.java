package io.cutover.progress;

import java.util.Map;

/** Makes of a job's accumulators, as they reach the client, how it stands. One thread. */
public interface Watch {

  /** Whatever is missing in the counts, because no task has sent any yet, changes nothing. */
  Standing heard(Map<String, Object> counts);
}
