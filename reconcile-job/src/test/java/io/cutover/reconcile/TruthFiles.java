package io.cutover.reconcile;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Damages what a copy left in its folder. */
record TruthFiles(Path report, Path witness) {

  private static final ObjectMapper JSON = new ObjectMapper();

  void deleteWitness() {
    run(() -> Files.delete(witness));
  }

  /** Flips one bit in the middle. */
  void corruptWitness() {
    run(
        () -> {
          byte[] bytes = Files.readAllBytes(witness);
          bytes[bytes.length / 2] ^= 1;
          Files.write(witness, bytes);
        });
  }

  /**
   * Makes report and witness those of a backfill that never saw a shard: they are whole, and the
   * one vouches for the other.
   */
  void forget(String shard) {
    run(
        () -> {
          forgetInWitness(shard);
          forgetInReport(shard);
        });
  }

  private void forgetInWitness(String shard) throws IOException {
    List<String> lines = Files.readAllLines(witness);
    ObjectNode header = (ObjectNode) JSON.readTree(lines.get(0));
    List<String> kept = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      if (!JSON.readTree(line).path("shard").asText().equals(shard)) {
        kept.add(line);
      }
    }
    kept.add(0, header.put("tallies", kept.size()).toString());
    Files.writeString(witness, String.join("\n", kept) + "\n");
  }

  private void forgetInReport(String shard) throws IOException {
    ObjectNode json = (ObjectNode) JSON.readTree(report.toFile());
    ObjectNode totals = (ObjectNode) json.get("totals");
    ArrayNode shards = (ArrayNode) json.get("shards");
    for (int i = shards.size() - 1; i >= 0; i--) {
      JsonNode one = shards.get(i);
      if (one.path("shard").asText().equals(shard)) {
        for (String sum :
            List.of("records", "bytes", "skipped", "aggregates", "malformed", "outOfRange")) {
          totals.put(sum, totals.get(sum).asLong() - one.get(sum).asLong());
        }
        shards.remove(i);
      }
    }
    totals.put("shards", shards.size());
    byte[] bytes = Files.readAllBytes(witness);
    ((ObjectNode) json.get("witness"))
        .put("sha256", sha256(bytes))
        .put("tallies", new String(bytes, UTF_8).lines().count() - 1);
    Files.writeString(report, json.toPrettyString());
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  private static void run(Step step) {
    try {
      step.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
