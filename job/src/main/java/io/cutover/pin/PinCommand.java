package io.cutover.pin;

import io.cutover.CutoverDir;
import io.cutover.config.BackfillOptions;
import io.cutover.config.ConfigArguments;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.Topic;
import io.cutover.kafka.TopicDescription;
import io.cutover.kinesis.KinesisAnswer;
import io.cutover.kinesis.StreamDescription;
import io.cutover.lineage.Shard;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Freezes T and what stream and topic are now, once. Runs on the client; starts no job. */
@Command(
    name = "pin",
    mixinStandardHelpOptions = true,
    versionProvider = io.cutover.Version.class,
    description =
        "Freezes T, the lineage and the topic's partition count in pin.json. Run again, it shows"
            + " the pin and changes nothing.")
public final class PinCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private ConfigArguments arguments;

  @Override
  public Integer call() {
    Configuration config = arguments.load();
    PinFile file = new PinFile(new CutoverDir(config.get(BackfillOptions.DIR)));
    KafkaClientProperties kafka = KafkaClientProperties.load(config);
    Optional<Pin> pinned = file.ifAny();
    if (pinned.isPresent()) {
      checkStillHolds(pinned.get(), config, kafka);
      print(pinned.get(), "was pinned at " + pinned.get().pinnedAt() + ", unchanged");
    } else {
      Pin pin = new Pinning(config, kafka).pin();
      file.write(pin);
      print(pin, "written to " + file.location());
    }
    return 0;
  }

  private static void checkStillHolds(Pin pin, Configuration config, KafkaClientProperties kafka) {
    PinCheck.inputs(pin, config);
    StreamDescription stream = KinesisAnswer.describe(config);
    PinCheck.stream(pin, stream);
    PinCheck.boundary(pin, stream);
    TopicDescription topic = Topic.describe(kafka, pin.topic().name());
    PinCheck.topic(pin, topic);
    PinCheck.partitions(pin, topic);
  }

  private void print(Pin pin, String how) {
    PrintWriter out = spec.commandLine().getOut();
    long closed = pin.shards().stream().filter(Shard::closed).count();
    out.printf("Pin %s: %s.%n", pin.id(), how);
    out.printf(
        "  stream    %s, %s, keeps %d h%n",
        pin.stream().arn(),
        pin.stream().mode().orElse("mode not told"),
        pin.stream().retention().toHours());
    out.printf("  topic     %s, %d partitions%n", pin.topic().name(), pin.topic().partitions());
    out.printf("  T         %s%n", pin.boundary());
    out.printf("  start     %s, the trim horizon%n", pin.start());
    out.printf("  window    from %s, by %s%n", pin.windowStart(), pin.tallyWindow());
    out.printf(
        "  lineage   %d shards, %d of them closed; %d open at T%n",
        pin.shards().size(), closed, pin.openAtBoundary().size());
    out.printf(
        "  headroom  %s%n",
        pin.headroom()
            .map(headroom -> headroom.toHours() + " h until the oldest record expires")
            .orElse("the stream holds no record"));
    out.flush();
  }
}
