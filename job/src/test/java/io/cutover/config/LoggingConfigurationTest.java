package io.cutover.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.ConfigurationSource;
import org.apache.logging.log4j.core.config.properties.PropertiesConfigurationFactory;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.junit.jupiter.api.Test;

/** conf/log4j2.properties is one that log4j takes, and writes where a container's log is read. */
class LoggingConfigurationTest {

  @Test
  void everythingGoesToTheConsole() {
    Path file = Path.of("..", "conf", "log4j2.properties");
    try (LoggerContext context = new LoggerContext("conf")) {
      Configuration configuration =
          new PropertiesConfigurationFactory()
              .getConfiguration(context, ConfigurationSource.fromUri(file.toUri()));
      configuration.initialize();
      assertThat(configuration.getRootLogger().getAppenders()).containsOnlyKeys("console");
      assertThat(configuration.getAppender("console").getLayout())
          .isInstanceOf(PatternLayout.class);
      assertThat(configuration.getLoggerConfig("io.cutover.pin").getLevel()).isEqualTo(Level.INFO);
      assertThat(configuration.getLoggerConfig("org.apache.flink.metrics.MetricGroup").getLevel())
          .isEqualTo(Level.OFF);
    }
  }
}
