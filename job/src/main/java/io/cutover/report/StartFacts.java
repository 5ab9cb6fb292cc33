package io.cutover.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.util.List;
import java.util.Optional;

/**
 * What was found when the copy was begun, for its report. Travels as JSON.
 *
 * @param liveRecords how many records from T on, not this copy's, the topic held: a dual write's
 * @param firstLive where the first of them stands
 * @param waivers checks of the preflight that could not be made and were waived
 */
public record StartFacts(long liveRecords, Optional<String> firstLive, List<Waiver> waivers) {

  private static final JsonMapper JSON = JsonMapper.builder().addModule(new Jdk8Module()).build();

  /**
   * @param check its name
   * @param found why it could not be made
   */
  public record Waiver(String check, String found) {}

  public StartFacts {
    waivers = List.copyOf(waivers);
  }

  /** The JSON. */
  public String text() {
    return JSON.valueToTree(this).toString();
  }

  /** What {@link #text} gave. */
  public static StartFacts parse(String text) {
    try {
      return JSON.readValue(text, StartFacts.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the facts of the start do not read: " + text, e);
    }
  }
}
