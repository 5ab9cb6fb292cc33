package io.cutover.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.CutoverDir;
import io.cutover.Reason;
import io.cutover.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PinFileTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final Pin PIN = Pins.resharded();

  @TempDir private Path dir;

  private PinFile file() {
    return new PinFile(new CutoverDir(dir.toUri().toString()));
  }

  private static byte[] golden() {
    try (InputStream in = PinFileTest.class.getResourceAsStream("pin-v1.json")) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new IllegalStateException("pin-v1.json cannot be read", e);
    }
  }

  private static ObjectNode goldenTree() throws IOException {
    return (ObjectNode) JSON.readTree(golden());
  }

  private PinFile holding(byte[] contents) throws IOException {
    Files.write(dir.resolve("pin.json"), contents);
    return file();
  }

  private PinFile holding(JsonNode contents) throws IOException {
    return holding(JSON.writeValueAsBytes(contents));
  }

  private static Refusal refusal(PinFile file) {
    Refusal refusal = catchThrowableOfType(Refusal.class, file::read);
    assertThat(refusal).as("the pin is taken").isNotNull();
    return refusal;
  }

  // ---- the format

  @Test
  void pinIsWrittenAsVersionOneSaysByteForByte() throws IOException {
    file().write(PIN);
    assertThat(Files.readString(dir.resolve("pin.json")))
        .isEqualTo(new String(golden(), StandardCharsets.UTF_8));
  }

  @Test
  void versionOneIsReadForEver() throws IOException {
    assertThat(holding(golden()).read()).isEqualTo(PIN);
  }

  @Test
  void whiteSpaceMeansNothing() throws IOException {
    String compact = JSON.writeValueAsString(goldenTree());
    String spread = new String(golden(), StandardCharsets.UTF_8).replace("\n", "\r\n\t");
    for (String text : List.of(compact, spread)) {
      assertThat(holding(text.getBytes(StandardCharsets.UTF_8)).read()).isEqualTo(PIN);
    }
  }

  // ---- what is not taken

  @Test
  void missingPinIsRefusedAndSaysWhichCommandMakesOne() {
    assertThat(file().ifAny()).isEmpty();
    Refusal refusal = refusal(file());
    assertThat(refusal.reason()).isEqualTo(Reason.PIN_MISSING);
    assertThat(refusal).hasMessageContaining("pin.json").hasMessageContaining("the command pin");
  }

  @Test
  void pinThatWasCutShortAnywhereIsRefused() throws IOException {
    byte[] whole = golden();
    int last = whole.length - 1;
    assertThat(whole[last]).isEqualTo((byte) '\n');
    for (int length = 0; length < last; length++) {
      Refusal refusal = refusal(holding(Arrays.copyOf(whole, length)));
      assertThat(refusal.reason()).as("cut at %d", length).isEqualTo(Reason.PIN_UNREADABLE);
    }
    assertThat(refusal(holding(Arrays.copyOf(whole, last - 1))))
        .hasMessageContaining("pin.json")
        .hasMessageContaining("cut short")
        .hasMessageContaining("restore it");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "  ",
        "[]",
        "null",
        "7",
        "{}",
        "{\"format\": \"cutover-backfill-report\", \"version\": 1}",
        "{\"format\": [\"cutover-pin\"]}",
        "T: 2026-11-30T00:00:00Z",
        "\u0000\u0001"
      })
  void whatIsNoPinIsRefused(String contents) throws IOException {
    Refusal refusal = refusal(holding(contents.getBytes(StandardCharsets.UTF_8)));
    assertThat(refusal.reason()).isEqualTo(Reason.PIN_UNREADABLE);
    assertThat(refusal).hasMessageContaining("pin.json");
  }

  @Test
  void pinWithSomethingBehindItIsRefused() throws IOException {
    String twice = new String(golden(), StandardCharsets.UTF_8).repeat(2);
    assertThat(refusal(holding(twice.getBytes(StandardCharsets.UTF_8))).reason())
        .isEqualTo(Reason.PIN_UNREADABLE);
  }

  @Test
  void newerFormatIsRefusedByItsVersion() throws IOException {
    Refusal refusal = refusal(holding(goldenTree().put("version", 2).put("more", "fields")));
    assertThat(refusal.reason()).isEqualTo(Reason.PIN_NEWER);
    assertThat(refusal).hasMessageContaining("version 2").hasMessageContaining("up to 1");
  }

  /** Every value in the document that is neither an object nor a list. */
  static List<JsonPointer> values() throws IOException {
    List<JsonPointer> found = new ArrayList<>();
    collect(goldenTree(), JsonPointer.empty(), found);
    found.remove(JsonPointer.compile("/format"));
    return found;
  }

  private static void collect(JsonNode node, JsonPointer at, List<JsonPointer> into) {
    if (node instanceof ObjectNode object) {
      object.properties().forEach(e -> collect(e.getValue(), at.appendProperty(e.getKey()), into));
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        collect(array.get(i), at.appendIndex(i), into);
      }
    } else {
      into.add(at);
    }
  }

  @ParameterizedTest
  @MethodSource("values")
  void valueThatWasEditedIsNoticed(JsonPointer at) throws IOException {
    for (JsonNode other : otherThan(goldenTree().at(at))) {
      ObjectNode document = goldenTree();
      replace(document, at, other);
      assertEdited(document);
    }
  }

  private static List<JsonNode> otherThan(JsonNode value) {
    JsonNodeFactory json = JsonNodeFactory.instance;
    JsonNode sameTypeButOther;
    if (value.isTextual()) {
      sameTypeButOther = json.textNode(value.asText() + "0");
    } else if (value.isInt()) {
      sameTypeButOther = json.numberNode(value.asInt() - 1);
    } else if (value.isBoolean()) {
      sameTypeButOther = json.booleanNode(!value.asBoolean());
    } else {
      sameTypeButOther = json.textNode("there is none");
    }
    return value.isNull()
        ? List.of(sameTypeButOther)
        : List.of(sameTypeButOther, json.nullNode(), json.objectNode());
  }

  private static void replace(ObjectNode document, JsonPointer at, JsonNode by) {
    JsonNode holder = document.at(at.head());
    if (holder instanceof ObjectNode object) {
      object.set(at.last().getMatchingProperty(), by);
    } else {
      ((ArrayNode) holder).set(at.last().getMatchingIndex(), by);
    }
  }

  @Test
  void fieldThatWasRemovedOrAddedIsNoticed() throws IOException {
    for (Map.Entry<String, JsonNode> field : goldenTree().properties()) {
      if (!field.getKey().equals("format")) {
        ObjectNode document = goldenTree();
        document.remove(field.getKey());
        assertEdited(document);
      }
    }
    assertEdited(goldenTree().put("more", 1));
    ObjectNode fewer = goldenTree();
    ((ArrayNode) fewer.path("shards")).remove(0);
    assertEdited(fewer);
  }

  private void assertEdited(ObjectNode document) throws IOException {
    Refusal refusal = refusal(holding(document));
    assertThat(refusal.reason()).as(document.toString()).isEqualTo(Reason.PIN_EDITED);
    assertThat(refusal)
        .hasMessageContaining("pin.json was changed after it was written")
        .hasMessageContaining("delete it and pin anew");
  }

  // ---- once

  @Test
  void pinThatIsThereIsNeverOverwritten() throws IOException {
    file().write(PIN);
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> file().write(Pins.any()));
    assertThat(refusal.reason()).isEqualTo(Reason.ALREADY_RUNNING);
    assertThat(Files.readAllBytes(dir.resolve("pin.json"))).isEqualTo(golden());
    assertNothingButThePin();
  }

  @Test
  void claimOfAnotherPinIsRespectedAndNamed() throws IOException {
    Path claim = Files.createFile(dir.resolve("pin.json.claim-other"));
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> file().write(PIN));
    assertThat(refusal.reason()).isEqualTo(Reason.ALREADY_RUNNING);
    assertThat(refusal).hasMessageContaining("run pin again").hasMessageContaining("claim-other");
    assertThat(dir.resolve("pin.json")).doesNotExist();
    Files.delete(claim);
    file().write(PIN);
    assertNothingButThePin();
  }

  @Test
  void ofTwoPinsAtTheSameTimeTheOneThatSucceedsStands() throws Exception {
    for (int round = 0; round < 200; round++) {
      CyclicBarrier together = new CyclicBarrier(2);
      List<Pin> pins = List.of(PIN, Pins.any());
      List<CompletableFuture<Boolean>> written =
          pins.stream()
              .map(pin -> CompletableFuture.supplyAsync(() -> wrote(pin, together)))
              .toList();
      for (int i = 0; i < 2; i++) {
        if (written.get(i).join()) {
          assertThat(file().read()).as("round %d", round).isEqualTo(pins.get(i));
        }
      }
      Files.deleteIfExists(dir.resolve("pin.json"));
    }
    assertThat(dir).isEmptyDirectory();
  }

  private boolean wrote(Pin pin, CyclicBarrier together) {
    try {
      together.await();
      file().write(pin);
      return true;
    } catch (Refusal refusal) {
      assertThat(refusal.reason()).isEqualTo(Reason.ALREADY_RUNNING);
      return false;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void assertNothingButThePin() throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      assertThat(files).containsExactly(dir.resolve("pin.json"));
    }
  }
}
