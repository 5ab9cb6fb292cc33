package io.cutover.preflight;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The JSON of a preflight. Fields may be added within a version; none changes its meaning.
 *
 * <pre>{@code
 * {"format": "cutover-preflight", "version": 1, "pin": ID, "passed": BOOLEAN, "summary": TEXT,
 *  "checks": [{"name": NAME, "verdict": "PASS" | "FAIL" | "UNKNOWN" | "WAIVED",
 *              "found": TEXT, "wanted": TEXT, "remedy": TEXT, "note": TEXT}]}
 * }</pre>
 *
 * {@code remedy} is absent on PASS, {@code note} where there is nothing more to say.
 */
final class PreflightJson {

  static final String FORMAT = "cutover-preflight";
  static final int VERSION = 1;

  private static final ObjectMapper JSON = new ObjectMapper();

  private PreflightJson() {}

  static String of(PreflightResult result) {
    ObjectNode document =
        JSON.createObjectNode()
            .put("format", FORMAT)
            .put("version", VERSION)
            .put("pin", result.pinId())
            .put("passed", result.passed())
            .put("summary", result.summary());
    ArrayNode checks = document.putArray("checks");
    for (Check check : result.checks()) {
      ObjectNode row =
          checks
              .addObject()
              .put("name", check.name().toString())
              .put("verdict", check.verdict().name())
              .put("found", check.found())
              .put("wanted", check.wanted());
      check.remedy().ifPresent(remedy -> row.put("remedy", remedy.text()));
      check.note().ifPresent(note -> row.put("note", note));
    }
    return document.toPrettyString();
  }
}
