package io.cutover.kafka;

import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;

/**
 * An admin client for a few quick questions. Its close does not wait for answers: by itself the
 * client waits for what is under way, and before a server that never answers without end.
 */
public record BriefAdmin(Admin admin) implements AutoCloseable {

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  public BriefAdmin(Properties properties) {
    this(Admin.create(properties));
  }

  @Override
  public void close() {
    admin.close(CLOSE_TIMEOUT);
  }
}
