package io.cutover.pin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.CutoverDir;
import io.cutover.Reason;
import io.cutover.Refusal;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** The file {@code pin.json} in {@code cutover.dir}: written once, and never taken half. */
public final class PinFile {

  public static final String NAME = "pin.json";

  private static final String WAY_OUT =
      ": restore it as it was written; or, if no copy was begun under it, delete it and pin anew";

  private final CutoverDir dir;

  public PinFile(CutoverDir dir) {
    this.dir = dir;
  }

  public String location() {
    return dir.location(NAME);
  }

  /**
   * The pin.
   *
   * @throws Refusal when there is none, or {@link #ifAny} refuses
   */
  public Pin read() {
    return ifAny()
        .orElseThrow(
            () ->
                new Refusal(
                    Reason.PIN_MISSING,
                    "there is no pin "
                        + location()
                        + ": T, the lineage and the topic are frozen by the command pin, which"
                        + " comes first"));
  }

  /**
   * The pin, if there is one.
   *
   * @throws Refusal when the file is not JSON, was changed since it was written, or is of a newer
   *     format
   */
  public Optional<Pin> ifAny() {
    return dir.read(NAME).map(this::parse);
  }

  private Pin parse(byte[] file) {
    try {
      JsonNode tree = PinJson.tree(file);
      if (!(tree instanceof ObjectNode document)
          || !tree.path("format").asText().equals(PinJson.FORMAT)) {
        throw refused(Reason.PIN_UNREADABLE, "is not a pin");
      }
      int version = tree.path("version").asInt();
      if (version > PinJson.VERSION) {
        throw new Refusal(
            Reason.PIN_NEWER,
            location()
                + " has format version "
                + version
                + ", but this release knows up to "
                + PinJson.VERSION
                + ": use the release that wrote it, or a newer one");
      }
      if (version != PinJson.VERSION || !PinJson.checksumHolds(document)) {
        throw refused(Reason.PIN_EDITED, "was changed after it was written: its checksum differs");
      }
      Pin pin = PinJson.pin(document);
      if (!pin.id().equals(document.path("id").asText())) {
        throw refused(Reason.PIN_EDITED, "was changed after it was written: its id differs");
      }
      return pin;
    } catch (IOException e) {
      throw refused(
          Reason.PIN_UNREADABLE,
          "cannot be read as a pin, perhaps it was cut short ("
              + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
              + ")");
    }
  }

  private Refusal refused(Reason reason, String what) {
    return new Refusal(reason, location() + " " + what + WAY_OUT);
  }

  /**
   * Writes the pin where there is none yet.
   *
   * @throws Refusal when another was written at the same time
   */
  void write(Pin pin) {
    byte[] file;
    try {
      file = PinJson.pretty(PinJson.document(pin));
    } catch (IOException e) {
      throw new IllegalStateException("a pin can always be written as JSON", e);
    }
    dir.write(NAME, out -> out.write(file));
    if (!dir.read(NAME).map(written -> Arrays.equals(written, file)).orElse(false)) {
      throw new Refusal(
          Reason.PIN_DIFFERS,
          location() + " was written by another pin at the same time: run pin again to see it");
    }
  }
}
