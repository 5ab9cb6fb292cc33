package io.cutover.deploy.cluster;

import static org.awaitility.Awaitility.await;

import io.cutover.deploy.Checkout;
import io.cutover.local.kafka.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * An S3 server of one process on 127.0.0.1, with one bucket: S3Proxy over a store that is gone with
 * it. It takes requests that are signed with its own keys, and no others.
 */
final class S3Server implements AutoCloseable {

  static final String BUCKET = "bucket";

  private static final String ACCESS_KEY = "cutover";
  private static final String SECRET_KEY = "cutover-secret";
  private static final Duration STARTS_WITHIN = Duration.ofMinutes(2);

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI endpoint = URI.create("http://127.0.0.1:" + FreePorts.pick(0));
  private final ChildJvm jvm;

  /**
   * @param root a folder that is not there yet
   */
  S3Server(Path root) {
    FlinkHome home = FlinkHome.lay(root, Map.of(), Optional.empty());
    Path properties = home.conf().resolve("s3proxy.conf");
    try {
      Files.writeString(properties, properties());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    jvm =
        ChildJvm.start(
            home,
            "s3",
            "256m",
            List.of(
                // Each request is a line.
                "-DLOG_LEVEL=debug",
                "-cp",
                jar().toString(),
                "org.gaul.s3proxy.Main",
                "--properties",
                properties.toString()));
    try {
      await().atMost(STARTS_WITHIN).until(this::answers);
      send(SdkHttpMethod.PUT, "/" + BUCKET);
    } catch (RuntimeException failed) {
      jvm.close();
      throw failed;
    }
  }

  /** What Flink calls a folder that has a folder for each plugin: the S3 file system's. */
  static Path plugins() {
    return Checkout.ROOT.resolve("deploy/target/plugins");
  }

  private static Path jar() {
    return Checkout.ROOT.resolve("deploy/target/s3proxy/s3proxy.jar");
  }

  private String properties() {
    return """
        s3proxy.endpoint=%s
        s3proxy.authorization=aws-v2-or-v4
        s3proxy.identity=%2$s
        s3proxy.credential=%3$s
        jclouds.provider=transient
        jclouds.identity=%2$s
        jclouds.credential=%3$s
        """
        .formatted(endpoint, ACCESS_KEY, SECRET_KEY);
  }

  private boolean answers() {
    if (!jvm.isAlive()) {
      throw new IllegalStateException(jvm + " ended. It printed:\n" + jvm.output());
    }
    try {
      http.send(HttpRequest.newBuilder(endpoint).build(), BodyHandlers.discarding());
      return true;
    } catch (IOException notYet) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** What Flink's configuration needs to reach it. */
  Map<String, String> flinkConfig() {
    return Map.of(
        "s3.endpoint",
        endpoint.toString(),
        "s3.path.style.access",
        "true",
        "s3.access-key",
        ACCESS_KEY,
        "s3.secret-key",
        SECRET_KEY);
  }

  static String uri(String key) {
    return "s3://" + BUCKET + "/" + key;
  }

  /** The keys for which an upload was begun, and neither ended nor given up. */
  String unfinishedUploads() {
    return send(SdkHttpMethod.GET, "/" + BUCKET + "?uploads=");
  }

  /** The requests that it got so far, in their order, its own among them. */
  List<S3Request> requests() {
    return S3Request.in(jvm.output()).toList();
  }

  private String send(SdkHttpMethod method, String path) {
    SdkHttpRequest unsigned =
        SdkHttpRequest.builder().method(method).uri(endpoint.resolve(path)).build();
    SdkHttpRequest signed =
        AwsV4HttpSigner.create()
            .sign(
                request ->
                    request
                        .identity(AwsCredentialsIdentity.create(ACCESS_KEY, SECRET_KEY))
                        .request(unsigned)
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
                        .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false))
            .request();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(signed.getUri()).method(method.name(), BodyPublishers.noBody());
    signed.headers().entrySet().stream()
        .filter(header -> !header.getKey().equals("Host"))
        .forEach(header -> header.getValue().forEach(v -> request.header(header.getKey(), v)));
    try {
      HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IllegalStateException(path + ": " + answer.statusCode() + " " + answer.body());
      }
      return answer.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    jvm.close();
  }
}
