package io.cutover.deploy.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutover.deploy.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.stream.Stream;

/** What a policy of {@code deploy/aws} allows in one bucket. */
final class StoragePolicy {

  private final String bucket;
  private final JsonNode statements;

  private StoragePolicy(String file, String bucket, Map<String, String> places) {
    this.bucket = "arn:aws:s3:::" + bucket;
    try {
      String policy =
          Files.readString(Checkout.ROOT.resolve("deploy/aws").resolve(file))
              .replace("BUCKET", bucket);
      for (Map.Entry<String, String> place : places.entrySet()) {
        policy = policy.replace(place.getKey(), place.getValue());
      }
      statements = new ObjectMapper().readTree(policy).path("Statement");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of who copies: all below one prefix. */
  static StoragePolicy backfill(String bucket, String prefix) {
    return new StoragePolicy("storage-policy.json", bucket, Map.of("PREFIX", prefix));
  }

  /**
   * Of who reconciles.
   *
   * @param prefix below which the two folders are
   * @param dir the key of {@code cutover.dir}
   * @param gate the key of the folder that a gate on Flink keeps its high-availability data in
   */
  static StoragePolicy reconciler(String bucket, String prefix, String dir, String gate) {
    return new StoragePolicy(
        "reconciler-storage-policy.json",
        bucket,
        Map.of("PREFIX", prefix, "CUTOVER_DIR", dir, "GATE_HA", gate));
  }

  boolean allows(S3Request request) {
    return statements.valueStream().anyMatch(statement -> allows(statement, request));
  }

  private boolean allows(JsonNode statement, S3Request request) {
    if (!matches(statement.path("Action"), request.action())) {
      return false;
    }
    JsonNode resource = statement.path("Resource");
    return request
        .key()
        .map(
            key ->
                request.action().equals("s3:ListBucket")
                    ? matches(resource, bucket)
                        && matches(statement.at("/Condition/StringLike/s3:prefix"), key)
                    : matches(resource, bucket + "/" + key))
        .orElse(true);
  }

  /** One pattern or a list of them, in which {@code *} stands for any text. */
  private static boolean matches(JsonNode patterns, String text) {
    return (patterns.isTextual() ? Stream.of(patterns) : patterns.valueStream())
        .anyMatch(
            pattern -> text.matches("\\Q" + pattern.asText().replace("*", "\\E.*\\Q") + "\\E"));
  }
}
