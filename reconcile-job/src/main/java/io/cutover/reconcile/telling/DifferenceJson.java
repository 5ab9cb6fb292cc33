package io.cutover.reconcile.telling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.kpl.Origin;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Difference.Kind;
import io.cutover.reconcile.verdict.Difference.Part;
import io.cutover.reconcile.verdict.Difference.Place;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A record that differs, as a line of {@link DifferencesFile} and as a sample in the verdict. Its
 * origin is told flat; a field that does not apply is absent.
 *
 * <pre>{@code
 * {"kind": "ALTERED", "altered": ["VALUE"], "shard": ID, "sequence": DIGITS, "subSequence": 3,
 *  "arrival": INSTANT, "places": [{"partition": 2, "offset": 1041, "timestamp": INSTANT}]}
 * }</pre>
 */
final class DifferenceJson {

  private static final Set<String> FIELDS =
      Set.of("kind", "altered", "shard", "sequence", "subSequence", "arrival", "places");

  private DifferenceJson() {}

  static ObjectNode of(Difference difference) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("kind", difference.kind().name());
    if (!difference.altered().isEmpty()) {
      var altered = json.putArray("altered");
      difference.altered().forEach(part -> altered.add(part.name()));
    }
    difference
        .origin()
        .ifPresent(
            origin -> {
              json.put("shard", origin.shardId()).put("sequence", origin.sequenceNumber());
              origin.subSequence().ifPresent(index -> json.put("subSequence", index));
            });
    difference.arrival().ifPresent(arrival -> json.put("arrival", arrival.toString()));
    var places = json.putArray("places");
    difference
        .places()
        .forEach(
            place ->
                places
                    .addObject()
                    .put("partition", place.partition())
                    .put("offset", place.offset())
                    .put("timestamp", place.timestamp().toString()));
    return json;
  }

  /**
   * What {@link #of} wrote.
   *
   * @throws IOException when a field is missing, unknown or of another type
   */
  static Difference difference(JsonNode json) throws IOException {
    List<String> names = new ArrayList<>();
    json.fieldNames().forEachRemaining(names::add);
    if (!FIELDS.containsAll(names)) {
      throw new IOException("of a record that differs " + FIELDS + " is known, but not " + names);
    }
    try {
      return new Difference(
          Kind.valueOf(json.required("kind").asText()),
          altered(json),
          origin(json),
          json.has("arrival") ? Optional.of(instant(json, "arrival")) : Optional.empty(),
          places(json));
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new IOException("no record that differs: " + json, e);
    }
  }

  private static Set<Part> altered(JsonNode json) {
    Set<Part> altered = EnumSet.noneOf(Part.class);
    json.path("altered").forEach(part -> altered.add(Part.valueOf(part.asText())));
    return altered;
  }

  private static Optional<Origin> origin(JsonNode json) {
    if (!json.has("shard")) {
      return Optional.empty();
    }
    OptionalInt subSequence =
        json.has("subSequence")
            ? OptionalInt.of(json.required("subSequence").asInt())
            : OptionalInt.empty();
    return Optional.of(
        new Origin(
            json.required("shard").asText(), json.required("sequence").asText(), subSequence));
  }

  private static List<Place> places(JsonNode json) {
    List<Place> places = new ArrayList<>();
    json.required("places")
        .forEach(
            place ->
                places.add(
                    new Place(
                        place.required("partition").asInt(),
                        place.required("offset").asLong(),
                        instant(place, "timestamp"))));
    return places;
  }

  private static Instant instant(JsonNode json, String field) {
    return Instant.parse(json.required(field).asText());
  }
}
