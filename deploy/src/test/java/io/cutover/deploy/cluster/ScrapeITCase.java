package io.cutover.deploy.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.cutover.deploy.Checkout;
import io.cutover.deploy.Programs;
import io.cutover.deploy.monitoring.Monitoring;
import io.cutover.local.kafka.FreePorts;
import io.cutover.local.kafka.KafkaBroker;
import io.cutover.local.kinesis.Faults.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Prometheus finds at a copy that runs, and at a Pushgateway behind a verdict: every series
 * that the rules and the dashboard of deploy/monitoring read.
 */
class ScrapeITCase {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int PORTS = 4;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir private static Path dir;

  private static KafkaBroker broker;
  private static FlinkCluster cluster;
  private static ClusterCopy copy;
  private static Fault heldUp;
  private static int firstPort;

  /** What the gateway was told last. */
  private static volatile String pushed = "";

  private static HttpServer gateway;

  @BeforeAll
  static void start() throws IOException {
    gateway = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    gateway.createContext(
        "/",
        exchange -> {
          if (exchange.getRequestMethod().equals("PUT")) {
            pushed = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          }
          byte[] answer = pushed.getBytes(UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    gateway.start();
    broker = KafkaBroker.builder().heap("512m").start();
    firstPort = FreePorts.pick(0);
    cluster =
        FlinkCluster.builder(dir.resolve("flink"))
            .taskManagers(1)
            .set("metrics.reporter.prometheus.port", firstPort + "-" + (firstPort + PORTS - 1))
            .session();
    giveAVerdict();
    copy = new ClusterCopy(dir.resolve("running"), broker);
    copy.pin();
    heldUp = copy.holdUp();
    assertThat(run(Checkout.jobJar(), copy.line("backfill"), "-d")).isZero();
    ClusterCopy.awaitStanding(heldUp);
  }

  /** A verdict with findings, of a copy that was compared. */
  private static void giveAVerdict() {
    try (ClusterCopy judged = new ClusterCopy(dir.resolve("judged"), broker)) {
      judged.pin();
      assertThat(run(Checkout.jobJar(), judged.line("backfill"))).isZero();
      judged.damage();
      String url = "reconcile.pushgateway=http://127.0.0.1:" + gateway.getAddress().getPort();
      assertThat(run(Checkout.reconcileJobJar(), judged.line("reconcile", "-D", url))).isOne();
    }
  }

  @AfterAll
  static void stop() {
    if (heldUp != null) {
      heldUp.remove();
    }
    cluster.close();
    copy.close();
    broker.close();
    gateway.stop(0);
  }

  private static int run(Path jar, List<String> line, String... options) {
    return cluster.cli().run(jar, line, options).await().exitCode();
  }

  /** The ports of the range at which a process answers. */
  private static List<Integer> answering() {
    return IntStream.range(firstPort, firstPort + PORTS)
        .filter(port -> !FreePorts.bindable(port))
        .boxed()
        .toList();
  }

  private static Stream<String> scraped() {
    return Stream.concat(
            answering().stream().map(port -> get("http://127.0.0.1:" + port + "/metrics")),
            Stream.of(pushed))
        .flatMap(String::lines)
        .filter(line -> !line.startsWith("#"));
  }

  @Test
  void everySeriesThatRulesAndDashboardReadIsThere() {
    assertThat(Monitoring.series()).hasSizeGreaterThan(15);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(scraped().map(line -> line.split("[{ ]")[0]))
                    .containsAll(Monitoring.series()));
  }

  @Test
  void jobStreamAndShardAreLabelsAsTheyAreWritten() {
    String name = "flink_taskmanager_job_task_operator_KinesisStreamSource_stream_shardId_";
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(scraped().filter(line -> line.startsWith(name)))
                    .isNotEmpty()
                    .allMatch(line -> line.contains("stream=\"orders\""))
                    .allMatch(line -> line.contains("shardId=\"shardId-0000"))
                    .allMatch(line -> line.contains("job_name=\"cutover backfill ")));
  }

  /** Prometheus itself scrapes, evaluates the rules, and answers what the panels ask. */
  @Test
  void everyPanelShowsSomethingAndEveryRuleIsEvaluatedIfPrometheusIsHere() throws Exception {
    Optional<Path> program = Programs.find("prometheus");
    assumeTrue(program.isPresent(), "no prometheus on the PATH (Debian package prometheus)");
    int port = FreePorts.pick(0);
    String api = "http://127.0.0.1:" + port + "/api/v1/";
    Process prometheus =
        new ProcessBuilder(
                program.get().toString(),
                "--config.file=" + configuration(),
                "--storage.tsdb.path=" + dir.resolve("tsdb"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("prometheus.log").toFile())
            .start();
    try {
      await().atMost(PATIENCE).until(() -> !FreePorts.bindable(port));
      await().atMost(PATIENCE).untilAsserted(() -> assertThat(silent(api)).isEmpty());
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(get(api + "rules"))
                      .contains("CutoverVerdictOld")
                      .doesNotContain("\"health\":\"unknown\"")
                      .doesNotContain("\"health\":\"err\""));
      assertThat(get(api + "alerts")).contains("CutoverNotCleared");
    } finally {
      prometheus.destroy();
      prometheus.waitFor();
    }
  }

  private static Path configuration() throws IOException {
    String flink = answering().stream().map(p -> "127.0.0.1:" + p).collect(joining(", "));
    return Files.writeString(
        dir.resolve("prometheus.yml"),
        """
        global: {scrape_interval: 1s, evaluation_interval: 1s}
        rule_files: ["%s"]
        scrape_configs:
          - job_name: flink
            static_configs: [{targets: [%s]}]
          - job_name: pushgateway
            honor_labels: true
            static_configs: [{targets: ["127.0.0.1:%d"]}]
        """
            .formatted(
                Monitoring.FOLDER.resolve("alerts.yaml"), flink, gateway.getAddress().getPort()));
  }

  /** The panels' expressions that Prometheus has no answer to. */
  private static List<String> silent(String api) {
    return Monitoring.panelExpressions()
        .filter(
            expression ->
                answer(api + "query?query=" + URLEncoder.encode(expression, UTF_8))
                    .at("/data/result")
                    .isEmpty())
        .toList();
  }

  private static JsonNode answer(String url) {
    try {
      JsonNode answer = JSON.readTree(get(url));
      assertThat(answer.path("status").asText()).as(answer.toString()).isEqualTo("success");
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String get(String url) {
    try {
      return HTTP.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
