package io.cutover.source;

import io.cutover.lineage.Lineage;
import io.cutover.lineage.LineageTracker;
import java.util.Map;

/**
 * What the enumerator keeps in a checkpoint.
 *
 * @param identity of the copy: another one's state is never taken up
 * @param admitted whether the checks of a fresh start had passed
 */
public record LineageState(
    String identity,
    boolean admitted,
    Lineage lineage,
    Map<String, LineageTracker.Status> statuses) {}
