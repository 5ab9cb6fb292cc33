package io.cutover;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.RecoverableFsDataOutputStream;

/**
 * The folder of one cutover's files, on any file system that Flink knows. A file in it is whole or
 * absent. Used on the client, the JobManager and the TaskManagers.
 *
 * <p>Whatever the file system throws comes out as a {@link Refusal} that names the file.
 */
public final class CutoverDir {

  /** What is written to a file. */
  @FunctionalInterface
  public interface Contents {
    void writeTo(OutputStream out) throws IOException;
  }

  private final Path dir;

  /**
   * @param uri with a scheme
   */
  public CutoverDir(String uri) {
    this.dir = new Path(URI.create(uri));
  }

  /** The file's address. */
  public String location(String name) {
    return new Path(dir, name).toString();
  }

  /** The whole file, if it is there. */
  public Optional<byte[]> read(String name) {
    Path file = new Path(dir, name);
    try {
      FileSystem files = file.getFileSystem();
      if (!files.exists(file)) {
        return Optional.empty();
      }
      try (InputStream in = files.open(file)) {
        return Optional.of(in.readAllBytes());
      }
    } catch (FileNotFoundException gone) {
      return Optional.empty();
    } catch (IOException e) {
      throw unusable("read", file, e);
    }
  }

  /** Writes the file, in the place of an earlier one; it appears when it is whole. */
  public void write(String name, Contents contents) {
    try (Draft draft = draft(name)) {
      draft.write(contents);
      draft.publish();
    }
  }

  /** Begins to write a file that comes to be bit by bit. */
  public Draft draft(String name) {
    Path file = new Path(dir, name);
    try {
      // A rename on a file system, the end of an upload on an object store.
      return new Draft(file, file.getFileSystem().createRecoverableWriter().open(file));
    } catch (IOException | UnsupportedOperationException e) {
      throw unusable("written", file, e);
    }
  }

  /** A file that is being written, and is not there before it is published. */
  public static final class Draft implements AutoCloseable {

    private final Path file;
    private final RecoverableFsDataOutputStream out;
    private boolean published;

    private Draft(Path file, RecoverableFsDataOutputStream out) {
      this.file = file;
      this.out = out;
    }

    /** Writes on. */
    public void write(Contents contents) {
      try {
        contents.writeTo(out);
      } catch (IOException e) {
        throw unusable("written", file, e);
      }
    }

    /**
     * Lets the file appear, in the place of an earlier one.
     *
     * @throws IllegalStateException when nothing was written: an object store would show no file
     */
    public void publish() {
      try {
        if (out.getPos() == 0) {
          throw new IllegalStateException(file + " would be empty");
        }
        out.closeForCommit().commit();
        published = true;
      } catch (IOException e) {
        throw unusable("written", file, e);
      }
    }

    /**
     * Gives up what was not published. Of that an object store keeps the parts of an unfinished
     * upload, which nobody sees as a file, until a rule of the bucket ends it.
     */
    @Override
    public void close() {
      if (published) {
        // Closed already; the S3 plugin's stream refuses to be closed twice.
        return;
      }
      try {
        out.close();
      } catch (IOException e) {
        throw unusable("written", file, e);
      }
    }
  }

  /** The names of the files that begin so, in no order. */
  public List<String> names(String prefix) {
    try {
      FileStatus[] files = dir.getFileSystem().listStatus(dir);
      return Stream.of(files == null ? new FileStatus[0] : files)
          .map(file -> file.getPath().getName())
          .filter(name -> name.startsWith(prefix))
          .toList();
    } catch (FileNotFoundException noFolder) {
      return List.of();
    } catch (IOException e) {
      throw unusable("listed", dir, e);
    }
  }

  /** Removes the file, if it is there. */
  public void delete(String name) {
    Path file = new Path(dir, name);
    try {
      file.getFileSystem().delete(file, false);
    } catch (IOException e) {
      throw unusable("deleted", file, e);
    }
  }

  private static Refusal unusable(String how, Path file, Exception cause) {
    return new Refusal(
        Reason.FOLDER_UNUSABLE,
        file
            + " cannot be "
            + how
            + ": "
            + cause
            + ". Check cutover.dir, its rights, and that Flink has the plugin of its file system",
        cause);
  }
}
