package io.cutover.local.kinesis;

/** Where kinesis-local 0.6.2 does not do as AWS does. A test of the suite stands behind each. */
enum KnownDifference {
  ENDING_SEQUENCE_NUMBER("a closed shard's ending number is Long.MAX_VALUE, below its records"),
  LAG("MillisBehindLatest is measured from the shard's last record"),
  MAX_RECORD_SIZE("the summary lacks MaxRecordSizeInKiB"),
  OPEN_AT_TRIM_HORIZON("AT_TRIM_HORIZON lists every shard of a stream younger than its retention"),
  FUTURE_TIMESTAMP("AT_TIMESTAMP takes an instant in the future"),
  SENSELESS_ITERATOR("a shard iterator that is none is answered with status 500");

  private final String reason;

  KnownDifference(String reason) {
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
