package io.cutover.deploy.rights;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cutover.CommandLineRig;
import io.cutover.deploy.Checkout;
import io.cutover.local.kinesis.Call;
import io.cutover.local.kinesis.EmulatedShard;
import io.cutover.local.kinesis.EmulatedStream;
import io.cutover.local.kinesis.KinesisEmulator;
import io.cutover.local.kinesis.PutSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclBinding;

/**
 * One cutover before a secured broker, by the two users of deploy/strimzi and with the client
 * properties of conf. The commands run in this JVM.
 */
final class SecuredCutover implements AutoCloseable {

  static final String TOPIC = "orders";
  static final String BACKFILL = "cutover-backfill";
  static final String RECONCILER = "cutover-reconciler";

  private static final String STREAM = "orders";
  private static final String PASSWORD = "only-of-this-test";

  private final Path dir;
  private final Certificates certificates;
  private final SecuredBroker broker;
  private final KinesisEmulator kinesis = KinesisEmulator.start();
  private final Instant t =
      kinesis.clock().instant().minus(Duration.ofMinutes(15)).truncatedTo(ChronoUnit.MILLIS);

  /** A stream of 80 user records, an empty topic, and both users with all their rights. */
  SecuredCutover(Path dir) throws IOException {
    this.dir = dir;
    certificates = Certificates.of(BACKFILL, Files.createDirectory(dir.resolve("etc")));
    broker = SecuredBroker.start(certificates);
    broker.createTopic(TOPIC);
    Files.writeString(certificates.user().resolve("password"), PASSWORD);
    broker.createUser(BACKFILL, PASSWORD);
    broker.createUser(RECONCILER, PASSWORD);
    write(kinesis.createStream(STREAM, 2, t.minus(Duration.ofHours(5))));
    grantAll();
  }

  /** A shard, one that was split, and its children. */
  private void write(EmulatedStream stream) {
    for (EmulatedShard shard : stream.openShards()) {
      put(stream, shard.id(), t.minus(Duration.ofHours(4)));
    }
    List<EmulatedShard> children =
        stream.split(stream.shards().get(0).id(), t.minus(Duration.ofHours(3)));
    for (EmulatedShard child : children) {
      put(stream, child.id(), t.minus(Duration.ofHours(2)));
    }
  }

  private static void put(EmulatedStream stream, String shard, Instant from) {
    for (int i = 0; i < 20; i++) {
      stream.put(
          shard, PutSpec.of("key-" + i, ("event " + i).getBytes(UTF_8), from.plusSeconds(i)));
    }
  }

  SecuredBroker broker() {
    return broker;
  }

  /** The actions of Kinesis that were called since this was asked before. */
  Set<String> called() {
    Set<String> called =
        kinesis.calls().stream().map(Call::action).collect(Collectors.toCollection(TreeSet::new));
    kinesis.clearCalls();
    return called;
  }

  // ---- who may do what

  static List<Right> backfillRights() {
    return Right.of(Checkout.ROOT.resolve("deploy/strimzi/users/backfill-user.yaml"));
  }

  static List<Right> reconcilerRights() {
    return Right.of(Checkout.ROOT.resolve("deploy/strimzi/users/reconciler-user.yaml"));
  }

  void grantAll() {
    grant(backfillRights(), reconcilerRights());
  }

  /** From now on each has these rights, and nobody any other. */
  void grant(List<Right> backfill, List<Right> reconciler) {
    broker.allowOnly(
        Stream.concat(bindings(BACKFILL, backfill), bindings(RECONCILER, reconciler)).toList());
  }

  /** From now on whoever shows the certificate has these rights, and nobody any. */
  void grantByCertificate(List<Right> backfill) {
    broker.allowOnly(bindings("CN=" + BACKFILL, backfill).toList());
  }

  private static Stream<AclBinding> bindings(String user, List<Right> rights) {
    return rights.stream().map(right -> right.of("User:" + user));
  }

  // ---- how they come to the brokers

  /** A user's commands. */
  CommandLineRig as(String user) throws IOException {
    return as(user, dir);
  }

  /** A user's commands for a cutover with a folder of its own. */
  CommandLineRig as(String user, Path folder) throws IOException {
    Path properties = folder.resolve(user + ".properties");
    Files.writeString(properties, byScram(user));
    return rig(folder, broker.byScram(), TOPIC, properties);
  }

  CommandLineRig rig(Path folder, String servers, String topic, Path properties) {
    CommandLineRig rig =
        new CommandLineRig(folder.resolve("cutover"), kinesis.endpoint(), STREAM, servers, topic);
    rig.set("kafka.client.properties", properties.toString());
    rig.set("pin.boundary", t.toString());
    rig.set("backfill.checkpoint-interval", "300 ms");
    rig.set("source.shard.get-records.max-calls-per-second", "10000");
    rig.set("source.shard.get-records.idle-source-interval", "50 ms");
    rig.set("source.shard.discovery.interval", "100 ms");
    return rig;
  }

  /** The example, which is the backfill's, with the name of whoever it is. */
  String byScram(String user) {
    return example("SASL/SCRAM over TLS").replace(BACKFILL, user);
  }

  String example(String heading) {
    return ClientExample.of(heading, certificates.etc());
  }

  @Override
  public void close() {
    kinesis.close();
    broker.close();
  }
}
