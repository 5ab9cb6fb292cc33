package io.cutover.deploy.docker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Volume;
import io.cutover.deploy.Checkout;
import io.cutover.rig.CopyOracle;
import io.cutover.rig.TopicContents;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * The whole cutover in containers: Kafka and Kinesis as others pack them, or their stand-ins, and
 * the cutover's image beside them on one network.
 */
@NeedsImages({NeededImage.KAFKA, NeededImage.KINESIS, NeededImage.FLINK})
class ContainersITCase {

  private static final Logger LOG = LoggerFactory.getLogger(ContainersITCase.class);
  private static final int KINESIS_MOCK_PORT = 4568;
  private static final int LOCALSTACK_PORT = 4566;
  private static final int PARTITIONS = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String CONFIG = "/etc/cutover/cutover.yaml";
  private static final String CLIENT_PROPERTIES = "/etc/cutover/kafka-client.properties";

  private static final String VOLUME = "cutover-" + UUID.randomUUID();

  private static CutoverImage image;
  private static Network network;
  private static KafkaContainer kafka;
  private static GenericContainer<?> kinesis;
  private static int kinesisPort;

  @BeforeAll
  static void start() {
    String kafkaImage = NeededImage.KAFKA.atHand();
    String kinesisImage = NeededImage.KINESIS.atHand();
    kinesisPort = plainPort(kinesisImage);
    image = CutoverImage.build();
    LOG.info("Kafka is {}, Kinesis {}, the base {}", kafkaImage, kinesisImage, image.base());
    Engine.client().createVolumeCmd().withName(VOLUME).exec();
    network = Network.newNetwork();
    kafka =
        new KafkaContainer(
                DockerImageName.parse(kafkaImage).asCompatibleSubstituteFor("apache/kafka"))
            .withNetwork(network)
            .withListener("kafka:19092");
    kinesis =
        new GenericContainer<>(DockerImageName.parse(kinesisImage))
            .withNetwork(network)
            .withNetworkAliases("kinesis")
            .withExposedPorts(kinesisPort)
            .waitingFor(Wait.forHttp("/").forPort(kinesisPort).forStatusCodeMatching(s -> true));
    kafka.withStartupTimeout(PATIENCE);
    kinesis.withStartupTimeout(PATIENCE);
    Startables.deepStart(kafka, kinesis).join();
  }

  /** Of kinesis-mock, or of LocalStack, which has one port for all services. */
  private static int plainPort(String image) {
    return Engine.exposes(image, KINESIS_MOCK_PORT) ? KINESIS_MOCK_PORT : LOCALSTACK_PORT;
  }

  @AfterAll
  static void end() {
    Stream.of(kafka, kinesis, network)
        .filter(started -> started != null)
        .forEach(ContainersITCase::close);
    if (image != null) {
      Engine.client().removeVolumeCmd(VOLUME).exec();
    }
  }

  private static void close(AutoCloseable started) {
    try {
      started.close();
    } catch (Exception e) {
      throw new IllegalStateException("left behind: " + started, e);
    }
  }

  @Test
  void streamIsPinnedCopiedAndClearedByTheImageAlone() throws Exception {
    String endpoint =
        "http://%s:%d".formatted(kinesis.getHost(), kinesis.getMappedPort(kinesisPort));
    try (SeededStream stream = new SeededStream(URI.create(endpoint), "orders", 2)) {
      stream.put(2000);
      stream.putAggregate(50);
      stream.split();
      stream.put(1000);
      Instant t = SeededStream.passedInstant();
      stream.put(50);
      createTopic();
      giveTheVolumeToFlink();

      String job = CutoverImage.JOB;
      refuses(t, "[PIN_MISSING]", job, "preflight");
      succeeds(t, job, "pin");
      succeeds(t, job, "preflight");
      succeeds(t, job, "backfill");
      Ended verdict = succeeds(t, CutoverImage.RECONCILE_JOB, "reconcile");

      assertThat(verdict.out()).contains("CLEARED");
      assertThat(file("verdict.json").path("verdict").asText()).isEqualTo("CLEARED");
      assertThat(file("backfill-report.json").path("totals").path("records").asInt())
          .isEqualTo(3050);
      CopyOracle.assertExact(
          TopicContents.of(kafka.getBootstrapServers(), "orders"),
          stream.readBack(),
          stream.parents(),
          t,
          PARTITIONS);
    }
  }

  private static void createTopic() throws Exception {
    Map<String, String> settings = Map.of("retention.ms", "-1", "max.message.bytes", "2097152");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.getBootstrapServers()))) {
      admin
          .createTopics(List.of(new NewTopic("orders", PARTITIONS, (short) 1).configs(settings)))
          .all()
          .get();
    }
  }

  /** Docker makes a volume root's. */
  private static void giveTheVolumeToFlink() {
    Ended given =
        Ended.run(
            image.name(),
            container -> {
              onTheVolume(container);
              container.withCreateContainerCmdModifier(
                  command -> command.withEntrypoint("chown").withUser("root"));
            },
            "flink:flink",
            "/cutover");
    assertThat(given.exitCode()).as(given.all()).isZero();
  }

  private static Ended succeeds(Instant t, String jar, String command) {
    Ended ended = run(t, jar, command);
    assertThat(ended.exitCode()).as("%s: %s", command, ended.all()).isZero();
    return ended;
  }

  private static void refuses(Instant t, String reason, String jar, String command) {
    Ended ended = run(t, jar, command);
    assertThat(ended.exitCode()).as("%s: %s", command, ended.all()).isEqualTo(3);
    assertThat(ended.err()).contains(reason);
  }

  private static Ended run(Instant t, String jar, String command) {
    return Ended.run(
        image.name(),
        container -> {
          onTheVolume(container);
          container
              .withNetwork(network)
              .withCopyToContainer(Transferable.of(configuration(t)), CONFIG)
              .withCopyFileToContainer(
                  MountableFile.forHostPath(
                      Checkout.ROOT.resolve("conf/kafka-client.properties"), 0644),
                  CLIENT_PROPERTIES);
        },
        "flink",
        "run",
        "-t",
        "local",
        "-p",
        "2",
        jar,
        command,
        "--config",
        CONFIG);
  }

  private static void onTheVolume(GenericContainer<?> container) {
    container.withCreateContainerCmdModifier(
        command -> command.getHostConfig().withBinds(new Bind(VOLUME, new Volume("/cutover"))));
  }

  private static String configuration(Instant t) {
    return """
        cutover.dir: file:///cutover/orders
        pin.boundary: %s
        boundary.slack: 0 s
        reconcile.slack: 1 s
        kinesis.stream: orders
        kinesis.endpoint: http://kinesis:%d
        aws.region: us-east-1
        aws.credentials.provider: BASIC
        aws.credentials.basic.accesskeyid: local
        aws.credentials.basic.secretkey: local
        kafka.bootstrap.servers: kafka:19092
        kafka.topic: orders
        kafka.client.properties: %s
        backfill.checkpoint-interval: 1 s
        """
        .formatted(t, kinesisPort, CLIENT_PROPERTIES);
  }

  private static JsonNode file(String name) throws Exception {
    Ended read =
        Ended.run(image.name(), ContainersITCase::onTheVolume, "cat", "/cutover/orders/" + name);
    assertThat(read.exitCode()).as(read.all()).isZero();
    return new ObjectMapper().readTree(read.out());
  }
}
