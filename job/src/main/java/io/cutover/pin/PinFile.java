package io.cutover.pin;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.CutoverDir;
import io.cutover.Reason;
import io.cutover.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The file {@code pin.json} in {@code cutover.dir}: written once, and never taken half. */
public final class PinFile {

  public static final String NAME = "pin.json";

  private static final String CLAIM = NAME + ".claim-";

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
   * <p>Not every file system can create a file only if there is none. So a writer shows a claim
   * first, and then looks for others and for the file: of two at once at least one sees the other.
   *
   * @throws Refusal when another is there, or may be written at the same time
   */
  void write(Pin pin) {
    byte[] file = PinJson.file(pin);
    String claim = CLAIM + UUID.randomUUID();
    dir.write(claim, out -> out.write(file));
    try {
      List<String> others = new ArrayList<>(dir.names(CLAIM));
      others.remove(claim);
      if (!others.isEmpty() || dir.read(NAME).isPresent()) {
        throw takenBy(others);
      }
      dir.write(NAME, out -> out.write(file));
    } finally {
      dir.delete(claim);
    }
  }

  private Refusal takenBy(List<String> others) {
    return new Refusal(
        Reason.ALREADY_RUNNING,
        location()
            + " is being written by another pin at the same time: run pin again to see it"
            + (others.isEmpty()
                ? ""
                : "; if none runs any more, delete what a killed one left: "
                    + others.stream().map(dir::location).collect(joining(", "))));
  }
}
