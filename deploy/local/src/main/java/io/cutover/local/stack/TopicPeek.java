package io.cutover.local.stack;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows a person what a read_committed consumer finds in a topic; behind {@code peek.sh}. */
@Command(
    name = "peek.sh",
    mixinStandardHelpOptions = true,
    description = "Counts the committed records of a topic and shows some of them.")
public final class TopicPeek implements Callable<Integer> {

  private static final int SHOWN_VALUE = 60;

  @Spec private CommandSpec spec;

  @Option(names = "--bootstrap-servers", required = true, paramLabel = "HOST:PORT")
  private String bootstrapServers = "";

  @Option(names = "--topic", defaultValue = "events", description = "Default: ${DEFAULT-VALUE}.")
  private String topic = "";

  @Option(
      names = "--records",
      defaultValue = "5",
      description = "How many to show of each partition (default: ${DEFAULT-VALUE}).")
  private int shown;

  private TopicPeek() {}

  public static void main(String[] args) {
    CommandLine line = new CommandLine(new TopicPeek());
    line.setParameterExceptionHandler(
        (wrong, parsed) -> {
          wrong.getCommandLine().getErr().println(wrong.getMessage());
          return 64;
        });
    System.exit(line.execute(args));
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Properties properties = new Properties();
    properties.putAll(
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "isolation.level",
            "read_committed",
            "enable.auto.commit",
            "false",
            "allow.auto.create.topics",
            "false",
            "key.deserializer",
            ByteArrayDeserializer.class.getName(),
            "value.deserializer",
            ByteArrayDeserializer.class.getName()));
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(PartitionInfo::partition)
              .sorted()
              .map(number -> new TopicPartition(topic, number))
              .toList();
      long total = 0;
      for (TopicPartition partition : partitions) {
        total += show(consumer, partition, out);
      }
      out.printf("%,d committed records in %d partitions.%n", total, partitions.size());
    }
    return 0;
  }

  /** Reads one partition whole; the records in it. */
  private long show(
      KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, PrintWriter out) {
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    long end = consumer.endOffsets(List.of(partition)).get(partition);
    List<ConsumerRecord<byte[], byte[]>> first = new ArrayList<>();
    long count = 0;
    // By position: transaction markers take offsets too.
    while (consumer.position(partition) < end) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(500))) {
        count++;
        if (first.size() < shown) {
          first.add(record);
        }
      }
    }
    out.printf("Partition %d: %,d records%n", partition.partition(), count);
    first.forEach(record -> out.println(line(record)));
    return count;
  }

  private static String line(ConsumerRecord<byte[], byte[]> record) {
    StringJoiner headers = new StringJoiner(", ");
    for (Header header : record.headers()) {
      headers.add(header.key() + "=" + text(header.value()));
    }
    String value = record.value() == null ? "null" : text(record.value());
    return "  offset "
        + record.offset()
        + "  "
        + Instant.ofEpochMilli(record.timestamp())
        + "  key "
        + (record.key() == null ? "null" : text(record.key()))
        + "\n    "
        + headers
        + "\n    "
        + (value.length() > SHOWN_VALUE ? value.substring(0, SHOWN_VALUE) + "..." : value);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
