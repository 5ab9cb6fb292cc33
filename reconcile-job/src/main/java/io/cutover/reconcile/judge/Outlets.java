package io.cutover.reconcile.judge;

import io.cutover.CutoverDir;
import io.cutover.config.BackfillOptions;
import io.cutover.config.ReconcileOptions;
import io.cutover.reconcile.telling.VerdictFiles;
import io.cutover.reconcile.telling.VerdictPush;
import io.cutover.reconcile.verdict.VerdictReport;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.apache.flink.configuration.ReadableConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where every verdict of a configuration is told: the files in {@code cutover.dir} and, behind
 * them, a Pushgateway if there is one. Used on the client, the JobManager and a TaskManager.
 */
public record Outlets(VerdictFiles files, Optional<VerdictPush> push) {

  private static final Logger LOG = LoggerFactory.getLogger(Outlets.class);

  public static Outlets of(ReadableConfig config) {
    return new Outlets(
        new VerdictFiles(new CutoverDir(config.get(BackfillOptions.DIR))),
        config
            .getOptional(ReconcileOptions.PUSHGATEWAY)
            .map(url -> new VerdictPush(URI.create(url))));
  }

  /**
   * Writes the files, then pushes. A gateway that does not take it is logged and changes nothing:
   * the verdict it goes on telling is old, which an alert on its age finds.
   */
  public void tell(VerdictReport report) {
    files.write(report);
    push.ifPresent(
        gateway -> {
          try {
            gateway.push(report);
          } catch (IOException | RuntimeException e) {
            // Whatever it is: a verdict that was given is not to become a job that failed.
            LOG.warn(
                "The verdict {} of run {} is in its files, but {} did not take it: {}",
                report.verdict(),
                report.run().id(),
                gateway,
                e.getMessage(),
                e);
          }
        });
  }
}
