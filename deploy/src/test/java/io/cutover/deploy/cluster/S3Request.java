package io.cutover.deploy.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What one request needs of a policy, by the table of actions in the reference of IAM for S3.
 *
 * @param action that must be allowed
 * @param key of the object, or the prefix that is listed; none where the log does not tell it
 */
record S3Request(String action, Optional<String> key) {

  private static final Pattern LINE =
      Pattern.compile("request: Request\\(([A-Z]+) http://[^/]+/([^/?)]*)/?([^?)]*)\\??([^)]*)\\)");

  private static final Pattern PREFIX = Pattern.compile("(?:^|&)prefix=([^&]*)");

  /** Those of which the server's log tells. */
  static Stream<S3Request> in(String log) {
    return LINE.matcher(log)
        .results()
        .filter(line -> !line.group(2).isEmpty())
        .map(line -> of(line.group(1), decoded(line.group(3)), line.group(4)));
  }

  private static S3Request of(String method, String key, String query) {
    return key.isEmpty() ? ofBucket(method, query) : ofObject(method, key, query);
  }

  private static S3Request ofBucket(String method, String query) {
    if (query.startsWith("uploads")) {
      return new S3Request("s3:ListBucketMultipartUploads", Optional.empty());
    }
    return switch (method) {
      case "GET" -> {
        Matcher prefix = PREFIX.matcher(query);
        String listed = prefix.find() ? decoded(prefix.group(1)) : "";
        yield new S3Request("s3:ListBucket", Optional.of(listed));
      }
      case "HEAD" -> new S3Request("s3:ListBucket", Optional.of(""));
      // Which keys are deleted stands in the body.
      case "POST" -> new S3Request("s3:DeleteObject", Optional.empty());
      case "PUT" -> new S3Request("s3:CreateBucket", Optional.empty());
      default -> throw new IllegalArgumentException(method + " of a bucket: " + query);
    };
  }

  private static S3Request ofObject(String method, String key, String query) {
    String action =
        switch (method) {
          case "GET", "HEAD" -> "s3:GetObject";
          case "PUT", "POST" -> "s3:PutObject";
          case "DELETE" ->
              query.contains("uploadId=") ? "s3:AbortMultipartUpload" : "s3:DeleteObject";
          default -> throw new IllegalArgumentException(method + " of an object: " + key);
        };
    return new S3Request(action, Optional.of(key));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, UTF_8);
  }
}
