package io.cutover.source;

import io.cutover.lineage.Lineage;
import io.cutover.lineage.LineageTracker;
import java.util.Map;

/**
 * What the enumerator keeps in a checkpoint.
 *
 * @param admitted whether the checks of a fresh start had passed
 */
public record LineageState(
    boolean admitted, Lineage lineage, Map<String, LineageTracker.Status> statuses) {}
