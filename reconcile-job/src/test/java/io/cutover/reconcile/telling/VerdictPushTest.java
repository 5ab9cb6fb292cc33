package io.cutover.reconcile.telling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.cutover.reconcile.verdict.Reports;
import io.cutover.reconcile.verdict.VerdictReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VerdictPushTest {

  private static final String SIDES = "stream=\"orders\",topic=\"orders\"";

  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();

  private HttpServer gateway;
  private int answer = 202;

  @BeforeEach
  void open() throws IOException {
    gateway = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    gateway.createContext(
        "/",
        exchange -> {
          requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
          bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(answer, -1);
          exchange.close();
        });
    gateway.start();
  }

  @AfterEach
  void close() {
    gateway.stop(0);
  }

  private void push(VerdictReport report) throws IOException {
    new VerdictPush(URI.create("http://127.0.0.1:" + gateway.getAddress().getPort())).push(report);
  }

  private List<String> series() {
    return bodies.get(0).lines().filter(line -> !line.startsWith("#")).toList();
  }

  @Test
  void clearedIsZeroWithItsTimeAndItsRecords() throws IOException {
    VerdictReport report = Reports.clean(2).report();
    push(report);
    assertThat(series())
        .contains(
            "cutover_verdict_exit_code{" + SIDES + "} 0.0",
            "cutover_verdict_records{side=\"kinesis\","
                + SIDES
                + "} "
                + (double) report.totals().kinesis().records())
        .anyMatch(line -> line.startsWith("cutover_verdict_timestamp_seconds{" + SIDES + "} 1"));
  }

  @Test
  void mismatchIsOneWithItsFindings() throws IOException {
    VerdictReport report = Reports.mismatch();
    push(report);
    assertThat(series())
        .contains("cutover_verdict_exit_code{" + SIDES + "} 1.0")
        .filteredOn(line -> line.startsWith("cutover_verdict_findings{"))
        .hasSameSizeAs(report.findings());
  }

  @Test
  void nextVerdictOfACopyReplacesItsLast() throws IOException {
    VerdictReport report = Reports.mismatch();
    push(report);
    push(Reports.clean(2).report());
    assertThat(requests)
        .containsExactly(
            "PUT /metrics/job/cutover_reconcile/evidence/auto/pin/" + report.scope().pin(),
            "PUT /metrics/job/cutover_reconcile/evidence/auto/pin/" + report.scope().pin());
    assertThat(bodies.get(1)).doesNotContain("exit_code{" + SIDES + "} 1.0");
  }

  @Test
  void spotCheckHasAGroupOfItsOwn() throws IOException {
    push(Reports.partial());
    assertThat(requests.get(0)).contains("/evidence/spot-check/");
  }

  @Test
  void gatewayThatDoesNotTakeItIsAnError() {
    answer = 500;
    assertThatThrownBy(() -> push(Reports.mismatch())).isInstanceOf(IOException.class);
    gateway.stop(0);
    assertThatThrownBy(() -> push(Reports.mismatch())).isInstanceOf(IOException.class);
  }
}
