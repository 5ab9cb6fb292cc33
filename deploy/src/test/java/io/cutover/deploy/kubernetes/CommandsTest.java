package io.cutover.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.config.ReconcileOptions;
import io.cutover.config.ReconcileOptions.Evidence;
import io.cutover.deploy.kubernetes.Steps.Applied;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is run: jar, command, options and their keys are all there. */
class CommandsTest {

  private static final String CONF = "/etc/cutover/";

  static Stream<Applied> thatStartPods() {
    return Steps.thatStartPods();
  }

  private static Configuration configuration(Invocation invocation) {
    ParseResult parsed = invocation.parsed();
    Path config = parsed.<Optional<Path>>matchedOptionValue("--config", Optional.empty()).get();
    assertThat(config.toString()).startsWith(CONF);
    assertThat(Steps.CONF.resolve(Path.of(CONF).relativize(config)))
        .isEqualTo(Steps.CONF.resolve("cutover.yaml"));
    return Steps.cutover(parsed.matchedOptionValue("-D", Map.of()));
  }

  @ParameterizedTest
  @MethodSource("thatStartPods")
  void theJarIsBuiltAndTakesTheArguments(Applied one) throws Exception {
    Invocation invocation = Invocation.of(one);
    assertThat(invocation.built()).isRegularFile();
    assertThat(Path.of(invocation.jar()).getFileName()).isEqualTo(invocation.built().getFileName());
    assertThatCode(() -> configuration(invocation)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @MethodSource("thatStartPods")
  void flinkTakesItsOwnOptions(Applied one) throws Exception {
    Invocation invocation = Invocation.of(one);
    assertThat(invocation.target()).isEqualTo(one.isFlink() ? "" : "local");
    invocation
        .flink()
        .forEach((key, value) -> assertThat(FlinkKeys.fault("" + key, "" + value)).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "pin, pin",
    "preflight, preflight",
    "backfill, backfill",
    "schedule, reconcile",
    "gate, reconcile",
    "gate-flink, reconcile"
  })
  void aStepRunsWhatItSays(String step, String command) throws Exception {
    assertThat(invocation(step).parsed().commandSpec().name()).isEqualTo(command);
  }

  private static Invocation invocation(String step) throws Exception {
    return Invocation.of(new Applied(step, Steps.example(step)));
  }

  @ParameterizedTest
  @CsvSource({"schedule, WITNESS", "gate, AUTO", "gate-flink, AUTO"})
  void theScheduleTakesTheWitnessAndTheGateReadsAgain(String step, Evidence evidence)
      throws Exception {
    assertThat(configuration(invocation(step)).get(ReconcileOptions.EVIDENCE)).isEqualTo(evidence);
  }

  @ParameterizedTest
  @CsvSource({"--confg=/etc/cutover/cutover.yaml", "recncile"})
  void anArgumentThatTheCommandDoesNotKnowIsNoticed(String argument) throws Exception {
    ObjectNode job = Steps.example("gate");
    ((ArrayNode) job.at("/spec/template/spec/containers/0/args")).add(argument);
    Invocation invocation = Invocation.of(new Applied("gate", job));
    assertThatThrownBy(invocation::parsed).isInstanceOf(UnmatchedArgumentException.class);
  }

  @Test
  void aKeyThatIsNoOptionIsNoticed() throws Exception {
    ObjectNode job = Steps.example("gate");
    ((ArrayNode) job.at("/spec/template/spec/containers/0/args"))
        .add("-D")
        .add("reconcile.evidnce=auto");
    Invocation invocation = Invocation.of(new Applied("gate", job));
    assertThatThrownBy(() -> configuration(invocation)).hasMessageContaining("reconcile.evidnce");
  }
}
