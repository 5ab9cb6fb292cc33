package io.cutover.deploy.rights;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.deploy.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the policies of deploy/aws are, whoever gets them. */
class AwsPolicyTest {

  private static final List<String> STATEMENT_KEYS =
      List.of("Sid", "Effect", "Action", "Resource", "Principal", "Condition");

  static List<String> files() throws IOException {
    try (Stream<java.nio.file.Path> files = Files.list(Checkout.ROOT.resolve("deploy/aws"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".json"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void isAPolicyThatAllowsNamedActionsOnNamedResources(String file) {
    Policy policy = Policy.of(file);
    assertThat(policy.document().path("Version").asText()).isEqualTo("2012-10-17");
    assertThat(policy.document().fieldNames()).toIterable().containsOnly("Version", "Statement");
    assertThat(policy.statements()).isNotEmpty().allSatisfy(AwsPolicyTest::allowsWhatItNames);
    assertThat(policy.actions()).allMatch(action -> action.matches("[a-z0-9]+:[A-Z][A-Za-z]+"));
  }

  /** A policy of a role names resources; one that says who may take the role, principals. */
  private static void allowsWhatItNames(JsonNode statement) {
    assertThat(statement.fieldNames()).toIterable().isSubsetOf(STATEMENT_KEYS);
    assertThat(statement.path("Effect").asText()).isEqualTo("Allow");
    assertThat(Policy.values(statement, "Action")).isNotEmpty().doesNotHaveDuplicates();
    if (statement.has("Principal")) {
      assertThat(statement.has("Resource")).isFalse();
      assertThat(statement.path("Condition").isEmpty()).isFalse();
    } else {
      assertThat(Policy.values(statement, "Resource"))
          .isNotEmpty()
          .allMatch(arn -> arn.matches("arn:aws:[a-z0-9]+:[A-Z]*:[A-Z]*:.+") && !arn.equals("*"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"backfill-policy.json", "reconciler-policy.json", "kms-policy.json"})
  void nothingOfTheStreamOrItsKeyIsWritten(String file) {
    assertThat(Policy.of(file).actions())
        .allMatch(action -> action.matches("kinesis:(Describe|Get|List)[A-Za-z]+|kms:Decrypt"));
  }

  @Test
  void everyFileIsExplained() throws IOException {
    assertThat(Files.readString(Checkout.ROOT.resolve("deploy/aws/README.md")))
        .contains(files().stream().map(file -> "`" + file + "`").toList());
  }
}
