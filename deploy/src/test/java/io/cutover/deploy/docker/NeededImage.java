package io.cutover.deploy.docker;

import java.util.Optional;
import org.opentest4j.TestAbortedException;

/**
 * The images that the tests need beside the cutover's own. Each is the one that its system property
 * names; else, with {@code -Dcutover.test.images=local}, a stand-in built from local files; else
 * the stock image.
 */
enum NeededImage {
  /** What the cutover's image is built on. */
  FLINK("cutover.test.flink.base", "flink:2.2.1-java17"),
  KAFKA("cutover.test.kafka.image", "apache/kafka:4.2.0"),
  KINESIS("cutover.test.kinesis.image", "ghcr.io/etspaceman/kinesis-mock:0.5.2");

  private static final String SELECTION = "cutover.test.images";

  private final String property;
  private final String stock;

  NeededImage(String property, String stock) {
    this.property = property;
    this.stock = stock;
  }

  /**
   * The name of an image that the engine has from now on.
   *
   * @throws IllegalStateException if an image that was asked for cannot be had
   * @throws TestAbortedException if none was asked for and the stock image cannot be had
   */
  String atHand() {
    Optional<String> named = Optional.ofNullable(System.getProperty(property));
    if (named.isPresent()) {
      ensure(named.get());
      return named.get();
    }
    String selection = System.getProperty(SELECTION, "stock");
    return switch (selection) {
      case "local" -> standIn();
      case "stock" -> stockOrSkipped();
      default ->
          throw new IllegalStateException(
              "-D%s is %s; expected stock or local.".formatted(SELECTION, selection));
    };
  }

  String stock() {
    return stock;
  }

  private String standIn() {
    return switch (this) {
      case FLINK -> StandIns.flink();
      case KAFKA -> StandIns.kafka();
      case KINESIS -> StandIns.kinesisLocal();
    };
  }

  private String stockOrSkipped() {
    try {
      ensure(stock);
      return stock;
    } catch (IllegalStateException e) {
      throw new TestAbortedException(
          "%s Name another by -D%s, or let stand-ins be built from local files: -D%s=local."
              .formatted(e.getMessage(), property, SELECTION),
          e);
    }
  }

  private static void ensure(String image) {
    if (!Engine.has(image)) {
      Engine.pull(image);
    }
  }
}
