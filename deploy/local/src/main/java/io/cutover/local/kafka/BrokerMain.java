package io.cutover.local.kafka;

import java.io.IOException;
import java.nio.file.Path;
import kafka.Kafka;

/**
 * Runs in the broker's JVM: formats the data directory when it is new, then is the broker.
 *
 * <p>Its standard input is a pipe from the process that started it. The pipe ends when that process
 * does, however it ends; then the broker halts, so that none is ever left behind.
 */
final class BrokerMain {
  private BrokerMain() {}

  /** Arguments: the broker's properties file and its data directory. */
  public static void main(String[] args) {
    Thread watch = new Thread(BrokerMain::haltWithParent, "parent-watch");
    watch.setDaemon(true);
    watch.start();

    String properties = args[0];
    int code = DataDirectory.format(Path.of(properties), Path.of(args[1]), System.out);
    if (code != 0) {
      System.exit(code);
    }
    Kafka.main(new String[] {properties});
  }

  private static void haltWithParent() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is ever sent; only the end matters.
      }
    } catch (IOException gone) {
      // The same as the end.
    }
    Runtime.getRuntime().halt(1);
  }
}
