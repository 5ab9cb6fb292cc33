package io.cutover.reconcile.plan;

import java.io.Serializable;

/**
 * What is read of one partition.
 *
 * @param begin its first offset when the reconciliation began
 * @param end its high watermark then, before which the reading stops
 */
public record TopicOffsets(int partition, long begin, long end) implements Serializable {}
