package io.cutover.deploy.rights;

import static org.awaitility.Awaitility.await;

import io.cutover.local.kafka.EmbeddedKafka;
import io.cutover.local.kafka.Listener;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;

/**
 * A broker that lets nobody do what no rule allows. Clients come by SCRAM over TLS, or with a
 * certificate; the test and the broker itself come by the plain listener, and may do everything.
 */
final class SecuredBroker implements AutoCloseable {

  private static final int SCRAM_ITERATIONS = 4096;

  private final EmbeddedKafka broker;
  private final Listener scram;
  private final Listener certificates;
  private final Admin admin;

  private SecuredBroker(EmbeddedKafka broker, Listener scram, Listener certificates) {
    this.broker = broker;
    this.scram = scram;
    this.certificates = certificates;
    this.admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  static SecuredBroker start(Certificates tls) {
    Listener scram = Listener.onFreePort("SCRAM", "SASL_SSL");
    Listener certificates = Listener.onFreePort("CERTIFICATES", "SSL");
    Map<String, String> properties = new HashMap<>(tls.brokerProperties());
    properties.put(
        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    properties.put("allow.everyone.if.no.acl.found", "false");
    properties.put("super.users", "User:ANONYMOUS");
    properties.put(scram.prefix() + "sasl.enabled.mechanisms", "SCRAM-SHA-512");
    properties.put(
        scram.prefix() + "scram-sha-512.sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    properties.put(certificates.prefix() + "ssl.client.auth", "required");
    return new SecuredBroker(
        EmbeddedKafka.start(properties, scram, certificates), scram, certificates);
  }

  String byScram() {
    return scram.bootstrapServers();
  }

  String byCertificate() {
    return certificates.bootstrapServers();
  }

  /** Where everything is allowed. */
  String plain() {
    return broker.bootstrapServers();
  }

  Admin admin() {
    return admin;
  }

  void createTopic(String name) {
    broker.createTopic(name, 2, Map.of("retention.ms", "-1", "max.message.bytes", "2097152"));
  }

  void createUser(String name, String password) {
    done(
        admin
            .alterUserScramCredentials(
                List.of(
                    new UserScramCredentialUpsertion(
                        name,
                        new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, SCRAM_ITERATIONS),
                        password)))
            .all());
  }

  /** From when this returns on, these are all rules that there are for anybody. */
  void allowOnly(Collection<AclBinding> rules) {
    done(admin.deleteAcls(List.of(AclBindingFilter.ANY)).all());
    done(admin.createAcls(rules).all());
    Set<AclBinding> wanted = new HashSet<>(rules);
    await()
        .atMost(Duration.ofSeconds(30))
        .pollDelay(Duration.ZERO)
        .until(
            () ->
                new HashSet<>(done(admin.describeAcls(AclBindingFilter.ANY).values()))
                    .equals(wanted));
  }

  static <T> T done(KafkaFuture<T> asked) {
    try {
      return asked.get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException("the broker did not do what the test asked", e);
    }
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(1));
    broker.close();
  }
}
