package io.cutover.local.kafka;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Picks ports of the loopback interface that nothing listens on, below the range from which the
 * system takes the ports of outgoing connections.
 *
 * <p>A broker that is down keeps its port in the mind of its clients only. Were the port in the
 * outgoing range, a client that retries could be given that very port, connect to itself, and keep
 * the broker from ever coming back.
 */
public final class FreePorts {
  private static final int LOWEST = 18_000;
  private static final int HIGHEST = 32_000;
  private static final int ATTEMPTS = 200;

  private FreePorts() {}

  /**
   * A port that could be bound a moment ago and is not {@code other}.
   *
   * @throws IllegalStateException when none was found
   */
  public static int pick(int other) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (port != other && bindable(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "No free port on the loopback interface: %d ports between %d and %d were tried, each is taken."
            .formatted(ATTEMPTS, LOWEST, HIGHEST));
  }

  /** Whether a server could listen on the port of the loopback interface right now. */
  public static boolean bindable(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
