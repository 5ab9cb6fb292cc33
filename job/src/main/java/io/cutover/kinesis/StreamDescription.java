package io.cutover.kinesis;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What DescribeStreamSummary says.
 *
 * @param status ACTIVE when the stream can be read and resharded
 * @param createdAt tells a stream from another that was created under the same name
 * @param retention how long a record is kept
 * @param mode PROVISIONED or ON_DEMAND, where the server says
 * @param distributionStrategy USER_PARTITION_KEY or AUTO; servers leave it out for a provisioned
 *     stream
 * @param serverTime the server's clock when it answered (HTTP Date, whole seconds, rounded down)
 */
public record StreamDescription(
    String name,
    String arn,
    String status,
    Instant createdAt,
    Duration retention,
    Optional<String> mode,
    Optional<String> distributionStrategy,
    int maxRecordSizeKiB,
    Instant serverTime) {

  /** The trim horizon when the server answered: what arrived before it has expired. */
  public Instant horizon() {
    return serverTime.minus(retention);
  }
}
