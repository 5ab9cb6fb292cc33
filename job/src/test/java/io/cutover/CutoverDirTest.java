package io.cutover;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CutoverDirTest {

  @TempDir private Path path;

  private CutoverDir dir() {
    return new CutoverDir(path.resolve("cutover").toUri().toString());
  }

  private static CutoverDir.Contents text(String text) {
    return out -> out.write(text.getBytes(UTF_8));
  }

  @Test
  void whatWasWrittenIsReadWhole() {
    dir().write("a.json", text("one"));
    assertThat(dir().read("a.json")).contains("one".getBytes(UTF_8));
    dir().write("a.json", text("another"));
    assertThat(dir().read("a.json")).contains("another".getBytes(UTF_8));
  }

  @Test
  void folderThatIsNotThereHoldsNothing() {
    assertThat(dir().read("a.json")).isEmpty();
    assertThat(dir().names("")).isEmpty();
    dir().delete("a.json");
    assertThat(path).isEmptyDirectory();
  }

  @Test
  void fileIsAbsentUntilItIsWhole() {
    dir()
        .write(
            "a.json",
            out -> {
              out.write(new byte[100_000]);
              out.flush();
              assertThat(dir().read("a.json")).isEmpty();
              assertThat(dir().names("a")).isEmpty();
            });
    assertThat(dir().read("a.json").orElseThrow()).hasSize(100_000);
  }

  @Test
  void writingThatFailsLeavesWhatWasThere() {
    CutoverDir.Contents half =
        out -> {
          out.write(new byte[100_000]);
          throw new IOException("disk full");
        };
    assertThatThrownBy(() -> dir().write("a.json", half)).hasMessageContaining("disk full");
    assertThat(dir().read("a.json")).isEmpty();
    dir().write("a.json", text("whole"));
    assertThatThrownBy(() -> dir().write("a.json", half)).isInstanceOf(Refusal.class);
    assertThat(dir().read("a.json")).contains("whole".getBytes(UTF_8));
  }

  /** An object store would show no file, and so nothing would tell that it is missing. */
  @Test
  void fileThatWouldBeEmptyIsNotPublished() {
    assertThatThrownBy(() -> dir().write("a.json", out -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a.json would be empty");
    assertThat(dir().read("a.json")).isEmpty();
  }

  @Test
  void namesAreThoseThatBeginSo() {
    dir().write("a.json", text("1"));
    dir().write("a.json.claim-1", text("2"));
    dir().write("b.json", text("3"));
    assertThat(dir().names("a.json")).containsExactlyInAnyOrder("a.json", "a.json.claim-1");
    dir().delete("a.json");
    assertThat(dir().names("a.json")).containsExactly("a.json.claim-1");
  }

  @Test
  void folderThatCannotBeWrittenIsNamed() throws IOException {
    // Not even root writes below a file.
    Path file = Files.createFile(path.resolve("file"));
    CutoverDir dir = new CutoverDir(file.resolve("cutover").toUri().toString());
    assertUnusable(dir, it -> it.write("a.json", text("1")), "cannot be written");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp2://host/cutover", "s3://bucket/cutover"})
  void schemeThatFlinkHasNoFileSystemForIsNamed(String uri) {
    CutoverDir dir = new CutoverDir(uri);
    assertUnusable(dir, it -> it.read("a.json"), "cannot be read");
    assertUnusable(dir, it -> it.write("a.json", text("1")), "cannot be written");
    assertUnusable(dir, it -> it.delete("a.json"), "cannot be deleted");
    assertUnusable(dir, it -> it.names("a"), "cannot be listed");
  }

  private static void assertUnusable(CutoverDir dir, Consumer<CutoverDir> use, String how) {
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> use.accept(dir));
    assertThat(refusal.reason()).isEqualTo(Reason.FOLDER_UNUSABLE);
    assertThat(refusal)
        .hasMessageContaining("/cutover")
        .hasMessageContaining(how)
        .hasMessageContaining("cutover.dir");
  }
}
