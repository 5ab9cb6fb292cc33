package io.cutover.config;

import io.cutover.source.SourceOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/** What a reconciliation compares, against what, and what it lets pass. */
public final class ReconcileOptions {

  /** What the verdict asks of the two sides. */
  public enum Require {
    /** No record may differ. */
    IDENTICAL,
    /** A few may be missing or extra, never altered. */
    TOLERANCE;

    /** The option's value, which Flink takes from here. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Where the Kinesis side of a window comes from. */
  public enum Evidence {
    /** From the stream where it still has all of the window, else from the witness. */
    AUTO,
    /** From the stream only. */
    REREAD,
    /** From the witness only: costs no read of the stream. */
    WITNESS;

    /** The option's value, which Flink takes from here. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ConfigOption<Require> REQUIRE =
      ConfigOptions.key("reconcile.require")
          .enumType(Require.class)
          .defaultValue(Require.IDENTICAL)
          .withDescription(
              "identical: no record may differ. tolerance: as many records may be missing or extra,"
                  + " in total and in each window, as the two options below allow; never an altered"
                  + " one, nor a window that is empty on one side only.");

  public static final ConfigOption<Integer> TOLERANCE_FLOOR =
      ConfigOptions.key("tolerance.floor")
          .intType()
          .defaultValue(5)
          .withDescription("With tolerance: so many records may differ however few there are.");

  public static final ConfigOption<Integer> TOLERANCE_PPM =
      ConfigOptions.key("tolerance.ppm")
          .intType()
          .defaultValue(200)
          .withDescription("With tolerance: so many of a million Kinesis records may differ.");

  public static final ConfigOption<Evidence> EVIDENCE =
      ConfigOptions.key("reconcile.evidence")
          .enumType(Evidence.class)
          .defaultValue(Evidence.AUTO)
          .withDescription(
              "auto: a window is read again from the stream where that still holds all of it, else"
                  + " taken from the backfill's witness; what neither has is not compared. reread:"
                  + " never the witness. witness: never the stream, for runs on a schedule.");

  public static final ConfigOption<String> FROM =
      ConfigOptions.key("reconcile.from")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "For a spot check: compare from this instant on, rounded down to its window's start."
                  + " A spot check never clears the flip.");

  public static final ConfigOption<String> TO =
      ConfigOptions.key("reconcile.to")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "For a spot check: compare up to this instant, rounded up to its window's end; not"
                  + " after T.");

  public static final ConfigOption<String> ACCEPT_EXPIRED_BEFORE =
      ConfigOptions.key("reconcile.accept-expired-before")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Accepts that records which arrived before this instant expired before the backfill"
                  + " read them. Without it such a copy is not cleared.");

  public static final ConfigOption<Duration> SLACK =
      ConfigOptions.key("reconcile.slack")
          .durationType()
          .defaultValue(Duration.ofMinutes(10))
          .withDescription(
              "How far behind T a shard is read on, in search of records from before T that the"
                  + " backfill did not wait for; longer than boundary.slack.");

  public static final ConfigOption<Duration> HEADROOM =
      ConfigOptions.key("reconcile.headroom")
          .durationType()
          .defaultValue(Duration.ofMinutes(30))
          .withDescription(
              "Records that are this close to expiring are not read again, since they could expire"
                  + " meanwhile: their windows come from the witness. Longer than"
                  + " source.retention-margin.");

  public static final ConfigOption<Duration> OPEN_TRANSACTION_TIMEOUT =
      ConfigOptions.key("reconcile.open-transaction-timeout")
          .durationType()
          .defaultValue(Duration.ofMinutes(1))
          .withDescription(
              "How long an open transaction, which hides the records behind it, is waited for"
                  + " before the verdict is INCONCLUSIVE.");

  public static final ConfigOption<Integer> SAMPLE_BUCKETS =
      ConfigOptions.key("reconcile.sample-buckets")
          .intType()
          .defaultValue(20)
          .withDescription(
              "How many windows of a shard, chosen at random, are counted once more by a plain loop"
                  + " that shares no code with the source. 0 counts none.");

  public static final ConfigOption<String> PUSHGATEWAY =
      ConfigOptions.key("reconcile.pushgateway")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "URL of a Prometheus Pushgateway that is told each verdict, for alerts. The verdict"
                  + " does not depend on whether it answers.");

  private static final int HIGHEST_PORT = 65_535;

  private ReconcileOptions() {}

  private static boolean isServer(String url) {
    try {
      URI uri = new URI(url);
      return url.matches("https?://[^/?#@\\s]+/?")
          && uri.getHost() != null
          && uri.getPort() <= HIGHEST_PORT;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /**
   * Holds the values against their ranges.
   *
   * @throws IllegalArgumentException naming the option
   */
  static void check(ReadableConfig config) {
    int floor = config.get(TOLERANCE_FLOOR);
    SourceOptions.require(floor >= 0, TOLERANCE_FLOOR, floor, "0 or above");
    int ppm = config.get(TOLERANCE_PPM);
    SourceOptions.require(ppm >= 0 && ppm <= 1_000_000, TOLERANCE_PPM, ppm, "from 0 to 1000000");
    Duration slack = config.get(SLACK);
    SourceOptions.require(!slack.isNegative(), SLACK, slack, "0 or above");
    Duration headroom = config.get(HEADROOM);
    Duration margin = config.get(SourceOptions.RETENTION_MARGIN);
    SourceOptions.require(
        headroom.compareTo(margin) > 0,
        HEADROOM,
        headroom,
        "above " + SourceOptions.RETENTION_MARGIN.key() + ", " + margin);
    Duration patience = config.get(OPEN_TRANSACTION_TIMEOUT);
    SourceOptions.require(!patience.isNegative(), OPEN_TRANSACTION_TIMEOUT, patience, "0 or above");
    int buckets = config.get(SAMPLE_BUCKETS);
    SourceOptions.require(buckets >= 0, SAMPLE_BUCKETS, buckets, "0 or above");
    config
        .getOptional(PUSHGATEWAY)
        .ifPresent(
            url ->
                SourceOptions.require(
                    isServer(url),
                    PUSHGATEWAY,
                    url,
                    "http://HOST:PORT or https://HOST:PORT, nothing behind it"));
  }
}
