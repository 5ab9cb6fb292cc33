package io.cutover.deploy.strimzi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.cutover.deploy.kubernetes.StrictTypes;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * Strimzi's own types. Their jar is compiled for Java 21, and a JVM of 17 loads no such class; but
 * types that only hold fields use nothing that came after 17. So they are loaded here with the
 * version of 17 written over theirs. What did use something newer would fail when it is loaded or
 * called, never pass unseen.
 */
final class StrimziTypes extends ClassLoader {

  private static final String PACKAGE = "io.strimzi.";

  /** Where a class file has the low byte of its major version. */
  private static final int MAJOR = 7;

  private static final byte JAVA_17 = 61;

  private static final Map<String, String> TYPES =
      Map.of(
          "KafkaTopic", "io.strimzi.api.kafka.model.topic.KafkaTopic",
          "KafkaUser", "io.strimzi.api.kafka.model.user.KafkaUser");

  private static final StrimziTypes LOADER = new StrimziTypes();

  private StrimziTypes() {
    super(StrimziTypes.class.getClassLoader());
  }

  /**
   * Reads a resource into its type.
   *
   * @throws JsonProcessingException when it has a field that its type has not, or one of another
   *     type
   */
  static Object read(JsonNode resource) throws JsonProcessingException {
    try {
      return StrictTypes.read(
          resource, Class.forName(TYPES.get(resource.path("kind").asText()), true, LOADER));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PACKAGE)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (file == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = file.readAllBytes();
      bytes[MAJOR] = (byte) Math.min(bytes[MAJOR], JAVA_17);
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
