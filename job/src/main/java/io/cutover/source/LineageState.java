package io.cutover.source;

import io.cutover.lineage.Lineage;
import io.cutover.lineage.LineageTracker;
import java.util.Map;
import java.util.Optional;

/**
 * What the enumerator keeps in a checkpoint.
 *
 * @param identity of the copy: another one's state is never taken up
 * @param admitted what the checks of a fresh start found; absent while they have not passed
 */
public record LineageState(
    String identity,
    Optional<String> admitted,
    Lineage lineage,
    Map<String, LineageTracker.Status> statuses) {}
