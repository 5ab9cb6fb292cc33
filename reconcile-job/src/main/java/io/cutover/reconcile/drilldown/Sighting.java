package io.cutover.reconcile.drilldown;

import io.cutover.kpl.Origin;
import java.util.Optional;

/**
 * A record of this copy as it was met on one side.
 *
 * @param place in the topic; absent on the Kinesis side
 * @param millis arrival or timestamp
 * @param targeted whether it lies in a bucket that differs; a record of the topic is also looked at
 *     where it may have got out of one
 * @param misplaced whether its key belongs to another partition
 * @param postdated whether its timestamp is from T on, though it arrived before
 */
record Sighting(
    Origin origin,
    Optional<Spot> place,
    long millis,
    boolean targeted,
    boolean misplaced,
    boolean postdated,
    Fingerprint key,
    Fingerprint value) {

  record Spot(int partition, long offset) {}

  /** What all sightings of one record have in common. */
  String identity() {
    return origin.text();
  }
}
