package io.cutover.source;

import java.time.Duration;

/** When a shard may be called next, so that the live consumers keep their share of its limits. */
public final class Pace {

  private final double nanosPerCall;
  private final double nanosPerByte;
  private long nextCallNanos;

  /** Per second; both above 0. */
  public Pace(double callsPerSecond, double bytesPerSecond, long nowNanos) {
    this.nanosPerCall = Duration.ofSeconds(1).toNanos() / callsPerSecond;
    this.nanosPerByte = Duration.ofSeconds(1).toNanos() / bytesPerSecond;
    this.nextCallNanos = nowNanos;
  }

  /** A call that began then brought so many bytes. */
  public void called(long beganNanos, long bytes) {
    nextCallNanos = beganNanos + (long) Math.max(nanosPerCall, nanosPerByte * bytes);
  }

  /** How long to wait from now, at least 0. */
  public long waitNanos(long nowNanos) {
    return Math.max(0, nextCallNanos - nowNanos);
  }
}
