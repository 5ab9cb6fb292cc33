package io.cutover.kpl;

import static io.cutover.kpl.Given.assertMembers;
import static io.cutover.kpl.Given.taken;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutover.kpl.Given.Written;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Aggregates that the Node library aws-kinesis-agg encoded, an encoder that is neither KPL's nor
 * ours. {@code src/test/node/aggregates.js} writes them, and says what they leave out: that library
 * puts explicit hash keys into its table in another order than its indexes assume, so there is no
 * truth to hold them against.
 */
class DeaggregatorNodeTest {

  private static final Base64.Decoder BASE64 = Base64.getDecoder();

  @Test
  void membersAreThoseThatWereGivenToTheNodeEncoder() throws IOException {
    List<JsonNode> aggregates = aggregates();
    for (JsonNode aggregate : aggregates) {
      List<Written> members = new ArrayList<>();
      for (JsonNode member : aggregate.get("members")) {
        members.add(
            new Written(
                member.get("key").asText(),
                Optional.empty(),
                BASE64.decode(member.get("data").asText())));
      }
      Deaggregated taken = taken(BASE64.decode(aggregate.get("blob").asText()));
      assertMembers(taken, members);
      assertThat(taken.outOfRange()).isZero();
    }
    assertThat(aggregates).hasSize(30);
  }

  private static List<JsonNode> aggregates() throws IOException {
    ObjectMapper json = new ObjectMapper();
    try (InputStream in = DeaggregatorNodeTest.class.getResourceAsStream("aggregates.jsonl")) {
      List<JsonNode> aggregates = new ArrayList<>();
      for (String line : new String(in.readAllBytes(), UTF_8).lines().toList()) {
        aggregates.add(json.readTree(line));
      }
      return aggregates;
    }
  }
}
