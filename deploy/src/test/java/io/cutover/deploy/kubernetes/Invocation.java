package io.cutover.deploy.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.CutoverJob;
import io.cutover.deploy.Checkout;
import io.cutover.deploy.kubernetes.Steps.Applied;
import io.cutover.reconcile.ReconcileJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.apache.flink.client.cli.CliArgsException;
import org.apache.flink.client.cli.CliFrontendParser;
import org.apache.flink.client.cli.GenericCLI;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.ParseResult;

/**
 * What a manifest has the image run, read by the parsers that will read it.
 *
 * @param flink the options of {@code flink run}, which a FlinkDeployment has none of
 * @param jar its place in the image
 * @param arguments the job's own
 */
record Invocation(Properties flink, String target, String jar, List<String> arguments) {

  private static final String FLINK = "/opt/flink/bin/flink";
  private static final String IMAGE_JARS = "/opt/flink/usrlib/";
  private static final String LOCAL = "local://";

  private static final Map<String, Class<?>> MAIN =
      Map.of(
          IMAGE_JARS + "cutover-job.jar", CutoverJob.class,
          IMAGE_JARS + "cutover-reconcile-job.jar", ReconcileJob.class);

  static Invocation of(Applied one) throws CliArgsException {
    return one.isFlink() ? ofDeployment(one.resource()) : ofContainer(one.pods());
  }

  private static Invocation ofDeployment(JsonNode deployment) {
    JsonNode job = deployment.at("/spec/job");
    String jar = job.path("jarURI").asText();
    require(jar.startsWith(LOCAL), "a jar of the image, not " + jar);
    Invocation invocation =
        new Invocation(
            new Properties(), "", jar.substring(LOCAL.length()), texts(job.path("args")));
    String main = job.path("entryClass").asText();
    require(main.equals(invocation.main().getName()), "the main class of " + jar + ", not " + main);
    return invocation;
  }

  private static Invocation ofContainer(JsonNode pods) throws CliArgsException {
    JsonNode container = pods.at("/spec/containers/0");
    require(
        texts(container.path("command")).equals(List.of(FLINK)),
        FLINK + ", not " + container.path("command"));
    List<String> args = texts(container.path("args"));
    require(args.get(0).equals("run"), "run, not " + args.get(0));
    Options options = CliFrontendParser.getRunCommandOptions();
    new GenericCLI(new Configuration(), "").addGeneralOptions(options);
    CommandLine parsed =
        CliFrontendParser.parse(options, args.subList(1, args.size()).toArray(String[]::new), true);
    List<String> rest = parsed.getArgList();
    return new Invocation(
        parsed.getOptionProperties("D"),
        parsed.getOptionValue("t"),
        rest.get(0),
        rest.subList(1, rest.size()));
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(one -> texts.add(one.asText()));
    return texts;
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalArgumentException("expected " + what);
    }
  }

  /** The jar of this build that the image has in that place. */
  Path built() {
    return main() == CutoverJob.class ? Checkout.jobJar() : Checkout.reconcileJobJar();
  }

  private Class<?> main() {
    Class<?> main = MAIN.get(jar);
    require(main != null, "one of " + MAIN.keySet() + ", not " + jar);
    return main;
  }

  /** The command and its options, as the job's own parser understands them. */
  ParseResult parsed() {
    return new picocli.CommandLine(main()).parseArgs(arguments.toArray(String[]::new)).subcommand();
  }
}
