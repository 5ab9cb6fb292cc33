package io.cutover.local.kafka;

import java.util.Locale;

/**
 * One more listener of a broker, beside the plain one that it always has. Keys, certificates and
 * mechanisms are broker properties that begin with {@link #prefix()}.
 *
 * @param name in capital letters
 * @param protocol Kafka's security protocol: SSL, SASL_SSL and so on
 * @param port of 127.0.0.1
 */
public record Listener(String name, String protocol, int port) {

  /** On a port that nothing listens on. */
  public static Listener onFreePort(String name, String protocol) {
    return new Listener(name, protocol, FreePorts.pick(0));
  }

  /** What clients take as {@code bootstrap.servers}. */
  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  /** What the broker properties of this listener only begin with. */
  public String prefix() {
    return "listener.name." + name.toLowerCase(Locale.ROOT) + ".";
  }

  String url() {
    return name + "://" + bootstrapServers();
  }

  String mapping() {
    return name + ":" + protocol;
  }
}
