package io.cutover.deploy.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutover.deploy.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What {@code deploy/aws/storage-policy.json} allows below one prefix of a bucket. */
final class StoragePolicy {

  private final String bucket;
  private final JsonNode statements;

  StoragePolicy(String bucket, String prefix) {
    this.bucket = "arn:aws:s3:::" + bucket;
    try {
      String file = Files.readString(Checkout.ROOT.resolve("deploy/aws/storage-policy.json"));
      statements =
          new ObjectMapper()
              .readTree(file.replace("BUCKET", bucket).replace("PREFIX", prefix))
              .path("Statement");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean allows(S3Request request) {
    return elements(statements).anyMatch(statement -> allows(statement, request));
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
    return (patterns.isTextual() ? Stream.of(patterns) : elements(patterns))
        .anyMatch(
            pattern -> text.matches("\\Q" + pattern.asText().replace("*", "\\E.*\\Q") + "\\E"));
  }

  private static Stream<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }
}
