package io.cutover.backfill;

import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.KinesisEmulator;
import io.cutover.local.kinesis.PutSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;

/** The emulator with a filled stream, as a process of its own: its garbage is not the reader's. */
public final class BenchmarkServer implements AutoCloseable {

  public static final String STREAM = "benchmark";

  private static final String READY = "ready at ";
  private static final int PAYLOADS = 2000;
  private static final int PAYLOAD_BYTES = 1024;

  private final Process process;
  private final URI endpoint;

  private BenchmarkServer(Process process, URI endpoint) {
    this.process = process;
    this.endpoint = endpoint;
  }

  public static BenchmarkServer start(BenchmarkSetting setting) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx6g",
                "-cp",
                System.getProperty("java.class.path"),
                BenchmarkServer.class.getName(),
                Integer.toString(setting.shards()),
                Integer.toString(setting.recordsPerShard()),
                Long.toString(setting.stepMillis()),
                Integer.toString(setting.pageRecords()),
                Long.toString(setting.delayMillis()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(READY)) {
        return new BenchmarkServer(process, URI.create(line.substring(READY.length())));
      }
    }
    throw new IOException("the server of the benchmark ended before it was ready");
  }

  public URI endpoint() {
    return endpoint;
  }

  @Override
  public void close() {
    process.destroy();
  }

  /** Fills the stream, says where it is, and serves until its standard input ends. */
  public static void main(String[] args) throws IOException {
    int shards = Integer.parseInt(args[0]);
    int recordsPerShard = Integer.parseInt(args[1]);
    KinesisEmulator emulator = KinesisEmulator.start();
    Instant now = emulator.clock().instant();
    EmulatedStream stream = emulator.createStream(STREAM, shards, now.minus(Duration.ofDays(8)));
    stream.retention(Duration.ofDays(9));
    stream.readStyle(stream.readStyle().pageRecords(Integer.parseInt(args[3])));
    fill(stream, recordsPerShard, Long.parseLong(args[2]), now.minus(Duration.ofDays(7)));
    Duration delay = Duration.ofMillis(Long.parseLong(args[4]));
    if (!delay.isZero()) {
      emulator.faults().on("*").delay(delay);
    }
    System.out.println(READY + emulator.endpoint());
    while (System.in.read() >= 0) {
      // Until the benchmark ends, and its end of the pipe with it.
    }
    emulator.close();
    System.exit(0);
  }

  private static void fill(
      EmulatedStream stream, int recordsPerShard, long stepMillis, Instant from) {
    Random random = new Random(1);
    byte[][] payloads = new byte[PAYLOADS][];
    for (int i = 0; i < PAYLOADS; i++) {
      payloads[i] = payload(random);
    }
    List<String> shards = stream.shards().stream().map(shard -> shard.id()).toList();
    for (int i = 0; i < recordsPerShard; i++) {
      Instant arrival = from.plusMillis(i * stepMillis);
      for (String shard : shards) {
        stream.put(
            shard,
            PutSpec.of(
                "customer-" + random.nextInt(100_000),
                payloads[random.nextInt(PAYLOADS)],
                arrival));
      }
    }
  }

  /** Text that compresses as JSON does, to about a third. */
  private static byte[] payload(Random random) {
    StringBuilder json = new StringBuilder("{");
    while (json.length() < PAYLOAD_BYTES - 40) {
      json.append("\"field")
          .append(random.nextInt(40))
          .append("\":")
          .append(random.nextLong())
          .append(',');
    }
    json.append("\"end\":\"");
    while (json.length() < PAYLOAD_BYTES - 2) {
      json.append('x');
    }
    return json.append("\"}").toString().getBytes(StandardCharsets.UTF_8);
  }
}
