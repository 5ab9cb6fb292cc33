package io.cutover.tally;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The tallies of one side, by shard and window. Mutable and not thread-safe; what it comes to does
 * not depend on the order in which records or other tallies are taken in.
 */
public final class Tallies {

  private static final int VERSION = 1;

  private final SortedMap<String, SortedMap<Long, Tally>> byShard = new TreeMap<>();

  /** The window that records are being taken in for: they come in runs. */
  private OpenWindow open = new OpenWindow("", 0);

  /** One window while records come in. */
  private static final class OpenWindow {
    private final String shard;
    private final long window;
    private long count;
    private long bytes;
    private long high;
    private long low;
    private String lowest = "";
    private String highest = "";

    OpenWindow(String shard, long window) {
      this.shard = shard;
      this.window = window;
    }

    boolean takes(String otherShard, long otherWindow) {
      return window == otherWindow && shard.equals(otherShard);
    }

    void add(String sequence, int valueBytes, long addHigh, long addLow) {
      if (count == 0 || Tally.compareSequences(sequence, lowest) < 0) {
        lowest = sequence;
      }
      if (count == 0 || Tally.compareSequences(sequence, highest) > 0) {
        highest = sequence;
      }
      count++;
      bytes += valueBytes;
      low += addLow;
      high += addHigh + (Long.compareUnsigned(low, addLow) < 0 ? 1 : 0);
    }

    Tally tally() {
      return new Tally(count, bytes, high, low, lowest, highest);
    }
  }

  /**
   * Takes a record in.
   *
   * @param window its index ({@link Windows#index})
   * @param digest which has just taken the record in
   */
  void add(String shard, long window, String sequence, int valueBytes, RecordDigest digest) {
    if (!open.takes(shard, window)) {
      closeWindow();
      open = new OpenWindow(shard, window);
    }
    open.add(sequence, valueBytes, digest.high(), digest.low());
  }

  private void closeWindow() {
    if (open.count > 0) {
      add(open.shard, open.window, open.tally());
    }
    open = new OpenWindow("", 0);
  }

  /** Takes a tally of further records in. */
  public void add(String shard, long window, Tally tally) {
    byShard.computeIfAbsent(shard, s -> new TreeMap<>()).merge(window, tally, Tally::plus);
  }

  /** Takes the tallies of further records in. */
  public void addAll(Tallies others) {
    others.byShard().forEach((shard, windows) -> windows.forEach((w, t) -> add(shard, w, t)));
  }

  /** All tallies, by shard id and window index; windows without a record have none. */
  public SortedMap<String, SortedMap<Long, Tally>> byShard() {
    closeWindow();
    return Collections.unmodifiableSortedMap(byShard);
  }

  /** The shards that either of two sides has seen. */
  public static TreeSet<String> shardsOf(Tallies one, Tallies other) {
    TreeSet<String> shards = new TreeSet<>(one.byShard().keySet());
    shards.addAll(other.byShard().keySet());
    return shards;
  }

  /** The byte form of one shard's tallies, version 1. */
  public static void write(DataOutput out, String shard, SortedMap<Long, Tally> windows)
      throws IOException {
    out.writeByte(VERSION);
    out.writeUTF(shard);
    out.writeInt(windows.size());
    for (var window : windows.entrySet()) {
      Tally tally = window.getValue();
      out.writeLong(window.getKey());
      out.writeLong(tally.count());
      out.writeLong(tally.bytes());
      out.writeLong(tally.high());
      out.writeLong(tally.low());
      out.writeUTF(tally.lowest());
      out.writeUTF(tally.highest());
    }
  }

  /** Takes in what {@link #write} wrote. */
  public void read(DataInput in) throws IOException {
    int version = in.readByte();
    if (version != VERSION) {
      throw new IOException(
          "the state of the witness has version "
              + version
              + ", but this build knows "
              + VERSION
              + ": restore it with the release that wrote it, or a newer one");
    }
    String shard = in.readUTF();
    int windows = in.readInt();
    for (int i = 0; i < windows; i++) {
      long window = in.readLong();
      add(
          shard,
          window,
          new Tally(
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readUTF(),
              in.readUTF()));
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tallies that && byShard().equals(that.byShard());
  }

  @Override
  public int hashCode() {
    return byShard().hashCode();
  }

  @Override
  public String toString() {
    return byShard().toString();
  }
}
