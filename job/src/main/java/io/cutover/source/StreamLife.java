package io.cutover.source;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;

/**
 * What bounds the age of a stream's records.
 *
 * @param retention how long a record is kept; may be raised later
 */
public record StreamLife(Instant createdAt, Duration retention) implements Serializable {}
