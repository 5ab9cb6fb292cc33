package io.cutover.local.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Makes and deletes the directories of brokers. */
final class Directories {
  private Directories() {}

  /** A new directory below {@code java.io.tmpdir}, which is made when it is missing. */
  static Path temporary() {
    try {
      Path parent = Path.of(System.getProperty("java.io.tmpdir"));
      return Files.createTempDirectory(Files.createDirectories(parent), "kafka-").toAbsolutePath();
    } catch (IOException e) {
      throw new UncheckedIOException("No temporary directory for the broker", e);
    }
  }

  /** Deletes the directory and all below it; nothing to do when it is gone. */
  static void delete(Path directory) {
    if (Files.notExists(directory)) {
      return;
    }
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException failure)
                throws IOException {
              Files.deleteIfExists(visited);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException("Could not delete " + directory, e);
    }
  }
}
