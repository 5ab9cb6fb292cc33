package io.cutover.deploy.rights;

import io.cutover.deploy.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** An example of conf/kafka-client.properties, taken as its reader would take it. */
final class ClientExample {

  private static final Path FILE = Checkout.ROOT.resolve("conf/kafka-client.properties");
  private static final String HEADING = "# --- ";
  private static final Pattern SETTING = Pattern.compile("#[a-z][a-z.]*=.*");

  private ClientExample() {}

  /**
   * The whole file, the settings below one heading uncommented.
   *
   * @param etc takes the place of /etc
   */
  static String of(String heading, Path etc) {
    List<String> lines = new ArrayList<>();
    boolean within = false;
    boolean found = false;
    for (String line : lines()) {
      if (line.startsWith(HEADING)) {
        within = line.startsWith(HEADING + heading + " -");
        found |= within;
      }
      lines.add(within && SETTING.matcher(line).matches() ? line.substring(1) : line);
    }
    if (!found) {
      throw new IllegalArgumentException(FILE + " has no heading '" + heading + "'");
    }
    return String.join("\n", lines).replace("/etc/", etc + "/") + "\n";
  }

  private static List<String> lines() {
    try {
      return Files.readAllLines(FILE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
