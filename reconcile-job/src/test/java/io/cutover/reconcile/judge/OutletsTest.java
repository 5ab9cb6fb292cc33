package io.cutover.reconcile.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.config.BackfillOptions;
import io.cutover.config.ReconcileOptions;
import io.cutover.reconcile.verdict.Reports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutletsTest {

  @TempDir private Path dir;

  private Configuration config() {
    Configuration config = new Configuration();
    config.set(BackfillOptions.DIR, dir.toUri().toString());
    return config;
  }

  @Test
  void verdictIsInItsFilesWhetherOrNotTheGatewayAnswers() throws IOException {
    Configuration config = config();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      config.set(ReconcileOptions.PUSHGATEWAY, "http://127.0.0.1:" + taken.getLocalPort());
    }
    Outlets outlets = Outlets.of(config);
    outlets.tell(Reports.mismatch());
    assertThat(outlets.push()).isPresent();
    assertThat(outlets.files().of(Reports.mismatch().run().id())).contains(Reports.mismatch());
  }

  @Test
  void verdictIsInItsFilesWhateverThePushRunsInto() {
    Configuration config = config();
    // The options refuse such a port; what else there is, nobody knows.
    config.set(ReconcileOptions.PUSHGATEWAY, "http://127.0.0.1:99999");
    Outlets outlets = Outlets.of(config);
    outlets.tell(Reports.mismatch());
    assertThat(outlets.files().of(Reports.mismatch().run().id())).contains(Reports.mismatch());
  }

  @Test
  void withoutAGatewayThereAreOnlyTheFiles() {
    assertThat(Outlets.of(config()).push()).isEmpty();
  }
}
