package io.cutover.report;

import java.time.Instant;

/**
 * What is true of the runs that made a copy, not of the copy.
 *
 * @param begunAt when the copy was begun, by the clock of a TaskManager
 * @param settledAt when it was found complete, likewise
 * @param suspectCommits transactions whose commit failed; if any, the topic was read back and held
 *     what was read
 */
public record RunFacts(Instant begunAt, Instant settledAt, StartFacts start, long suspectCommits) {}
