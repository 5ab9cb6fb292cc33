package io.cutover.deploy.rights;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.SecurityUtils;

/** One operation on one resource, as a KafkaUser grants it. */
record Right(AclOperation operation, ResourceType type, String name, PatternType pattern) {

  private static final YAMLMapper YAML = new YAMLMapper();
  private static final String CLUSTER = "kafka-cluster";

  /** All that a KafkaUser grants, one operation at a time, in the order of the file. */
  static List<Right> of(Path kafkaUser) {
    try {
      List<Right> rights = new ArrayList<>();
      for (JsonNode rule : YAML.readTree(kafkaUser.toFile()).at("/spec/authorization/acls")) {
        JsonNode resource = rule.path("resource");
        for (JsonNode operation : rule.path("operations")) {
          rights.add(
              new Right(
                  SecurityUtils.operation(operation.asText()),
                  SecurityUtils.resourceType(capitalized(resource.path("type").asText())),
                  resource.path("name").asText(CLUSTER),
                  resource.path("patternType").asText().equals("prefix")
                      ? PatternType.PREFIXED
                      : PatternType.LITERAL));
        }
      }
      return rights;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String capitalized(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }

  AclBinding of(String principal) {
    return new AclBinding(
        new ResourcePattern(type, name, pattern),
        new AccessControlEntry(principal, "*", operation, AclPermissionType.ALLOW));
  }

  /** The same right where it is not about a topic, else the right on this one. */
  Right onTopic(String topic) {
    return type == ResourceType.TOPIC ? new Right(operation, type, topic, pattern) : this;
  }

  /** The operation as Kafka's own tools spell it. */
  String spelled() {
    return SecurityUtils.operationName(operation);
  }

  @Override
  public String toString() {
    return spelled() + " on " + SecurityUtils.resourceTypeName(type) + " " + name;
  }
}
