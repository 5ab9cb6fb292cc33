package io.cutover.local.kafka;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/** Where a broker keeps its data. */
final class DataDirectory {
  private DataDirectory() {}

  /** Formats the directory unless it is formatted; 0 when it now is, else the tool's exit code. */
  static int format(Path properties, Path data, PrintStream out) {
    if (Files.exists(data.resolve("meta.properties"))) {
      return 0;
    }
    String[] command = {"format", "-t", Uuid.randomUuid().toString(), "-c", properties.toString()};
    return StorageTool.execute(command, out);
  }
}
