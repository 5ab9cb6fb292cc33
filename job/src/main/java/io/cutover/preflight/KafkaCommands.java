package io.cutover.preflight;

import io.cutover.kafka.KafkaOptions;
import org.apache.flink.configuration.ReadableConfig;

/** The commands of Kafka's own tools that mend a topic. */
final class KafkaCommands {

  private final String servers;
  private final String topic;
  private final String commandConfig;

  /**
   * @param config may name a file of client properties, which the tools then need too
   */
  KafkaCommands(String servers, String topic, ReadableConfig config) {
    this.servers = servers;
    this.topic = topic;
    this.commandConfig =
        config
            .getOptional(KafkaOptions.CLIENT_PROPERTIES)
            .map(file -> " --command-config " + file)
            .orElse("");
  }

  Remedy alterTopic(String setting, String value) {
    return Remedy.command(
        tool("kafka-configs.sh")
            + " --alter --entity-type topics --entity-name "
            + topic
            + " --add-config "
            + setting
            + "="
            + value);
  }

  Remedy addPartitions(int count) {
    return Remedy.command(
        tool("kafka-topics.sh") + " --alter --topic " + topic + " --partitions " + count);
  }

  Remedy abortTransaction(int partition, long startOffset) {
    return Remedy.command(
        tool("kafka-transactions.sh")
            + " abort --topic "
            + topic
            + " --partition "
            + partition
            + " --start-offset "
            + startOffset);
  }

  Remedy allowOnTopic(Iterable<String> operations) {
    StringBuilder command = new StringBuilder(acl());
    operations.forEach(operation -> command.append(" --operation ").append(operation));
    return Remedy.command(command.append(" --topic ").append(topic).toString());
  }

  Remedy allowTransactionalIds(String prefix) {
    return Remedy.command(
        acl()
            + " --operation Write --operation Describe --transactional-id "
            + prefix
            + " --resource-pattern-type prefixed");
  }

  Remedy allowClusterConfigs() {
    return Remedy.command(acl() + " --operation DescribeConfigs --cluster");
  }

  private String acl() {
    return tool("kafka-acls.sh") + " --add --allow-principal User:PRINCIPAL";
  }

  private String tool(String name) {
    return name + " --bootstrap-server " + servers + commandConfig;
  }
}
