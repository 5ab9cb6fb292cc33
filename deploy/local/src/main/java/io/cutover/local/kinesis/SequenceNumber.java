package io.cutover.local.kinesis;

import java.util.Comparator;

/** Sequence numbers of 56 digits, as AWS's are: too large for a long, and not dense. */
final class SequenceNumber {

  /** Numeric order of canonical decimal numbers, without the cost of parsing them. */
  static final Comparator<String> ORDER =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private static final String HEAD = "496".concat("0".repeat(24));

  private SequenceNumber() {}

  /**
   * @param tick rises with everything that happens in the stream, so that children stand above
   *     their parents
   * @param shard the shard's ordinal
   */
  static String of(long tick, int shard) {
    StringBuilder number = new StringBuilder(56).append(HEAD);
    pad(number, tick, 19);
    pad(number, shard, 10);
    return number.toString();
  }

  /** A decimal number without sign or leading zeros, or the request is at fault. */
  static String parse(String text) {
    if (!text.matches("0|[1-9][0-9]{0,128}")) {
      throw KinesisError.invalidArgument("SequenceNumber " + text + " is not a decimal number");
    }
    return text;
  }

  private static void pad(StringBuilder number, long value, int digits) {
    String text = Long.toString(value);
    for (int i = text.length(); i < digits; i++) {
      number.append('0');
    }
    number.append(text);
  }
}
