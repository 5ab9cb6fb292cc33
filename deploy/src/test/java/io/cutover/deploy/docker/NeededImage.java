package io.cutover.deploy.docker;

import java.util.Optional;

/**
 * The images that the tests need beside the cutover's own. Each is the one that its system property
 * names; else, with {@code -Dcutover.test.images=local}, a stand-in built from local files; else
 * the stock image.
 */
enum NeededImage {
  /** What the cutover's image is built on. */
  FLINK("cutover.test.flink.base", "flink:2.2.1-java17"),
  KAFKA("cutover.test.kafka.image", "apache/kafka:4.2.0"),
  KINESIS("cutover.test.kinesis.image", "localstack/localstack:3.8.1");

  private static final String SELECTION = "cutover.test.images";

  private final String property;
  private final String stock;

  NeededImage(String property, String stock) {
    this.property = property;
    this.stock = stock;
  }

  String stock() {
    return stock;
  }

  /** Why there is none: nobody asked for one, and the stock image cannot be pulled. */
  Optional<String> whyNone() {
    if (named().isPresent() || standIns()) {
      return Optional.empty();
    }
    try {
      ensure(stock);
      return Optional.empty();
    } catch (IllegalStateException e) {
      return Optional.of(
          "%s Name another by -D%s, or let stand-ins be built from local files: -D%s=local."
              .formatted(e.getMessage(), property, SELECTION));
    }
  }

  /**
   * The name of an image that the engine has from now on.
   *
   * @throws IllegalStateException if it cannot be had
   */
  String atHand() {
    if (named().isEmpty() && standIns()) {
      return standIn();
    }
    String image = named().orElse(stock);
    ensure(image);
    return image;
  }

  private Optional<String> named() {
    return Optional.ofNullable(System.getProperty(property));
  }

  private static boolean standIns() {
    String selection = System.getProperty(SELECTION, "stock");
    return switch (selection) {
      case "local" -> true;
      case "stock" -> false;
      default ->
          throw new IllegalStateException(
              "-D%s is %s; expected stock or local.".formatted(SELECTION, selection));
    };
  }

  private String standIn() {
    return switch (this) {
      case FLINK -> StandIns.flink();
      case KAFKA -> StandIns.kafka();
      case KINESIS -> StandIns.kinesisLocal();
    };
  }

  private static void ensure(String image) {
    if (!Engine.has(image)) {
      Engine.pull(image);
    }
  }
}
