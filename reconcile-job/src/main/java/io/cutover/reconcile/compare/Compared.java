package io.cutover.reconcile.compare;

import io.cutover.reconcile.side.Sampled;
import io.cutover.reconcile.side.TopicAccount;
import io.cutover.reconcile.verdict.Finding;
import java.time.Instant;
import java.util.List;

/**
 * What came of reading both sides once.
 *
 * @param topic what stands in the topic, its tallies left out
 * @param kinesisRecords user records read from the stream
 * @param lineageDisorder ancestors and descendants that stand the wrong way round
 * @param findings about the reading
 * @param readAt when both sides had been read, by the machine's clock
 */
public record Compared(
    Comparison comparison,
    TopicAccount topic,
    long kinesisRecords,
    Sampled lineageDisorder,
    List<Finding> findings,
    Instant readAt) {}
