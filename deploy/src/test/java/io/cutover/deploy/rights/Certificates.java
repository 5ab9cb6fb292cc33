package io.cutover.deploy.rights;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * What Strimzi puts into its Secrets, as files of a folder that stands for where they are mounted:
 * {@code cutover-ca} with the certificate that clients trust, {@code cutover-user} with the key and
 * the certificate of a user. Beside them is what the broker needs.
 */
final class Certificates {

  private static final String PASSWORD = "of-the-test";
  private static final char[] PASSWORD_CHARS = PASSWORD.toCharArray();

  private final Path dir;

  private Certificates(Path dir) {
    this.dir = dir;
  }

  /**
   * Makes an authority, and a key that it signed for the broker and for the user.
   *
   * @param user the common name, and nothing else, as Strimzi names a user's certificate
   */
  static Certificates of(String user, Path dir) {
    Certificates made = new Certificates(dir);
    try {
      Files.createDirectories(made.ca());
      Files.createDirectories(made.user());
      made.key("authority", "CN=cluster-ca", List.of("-ext", "bc:c"));
      made.key("broker", "CN=kafka", List.of("-signer", "authority", "-ext", "san=ip:127.0.0.1"));
      made.key("user", "CN=" + user, List.of("-signer", "authority"));
      made.share();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the certificates could not be shared out", e);
    }
    return made;
  }

  /** Stands for /etc, below which the Secrets are mounted. */
  Path etc() {
    return dir;
  }

  Path user() {
    return dir.resolve("cutover-user");
  }

  private Path ca() {
    return dir.resolve("cutover-ca");
  }

  /** What a broker shows, and whose clients it knows. */
  Map<String, String> brokerProperties() {
    return Map.of(
        "ssl.keystore.type",
        "PKCS12",
        "ssl.keystore.location",
        dir.resolve("broker.p12").toString(),
        "ssl.keystore.password",
        PASSWORD,
        "ssl.key.password",
        PASSWORD,
        "ssl.truststore.type",
        "PKCS12",
        "ssl.truststore.location",
        ca().resolve("ca.p12").toString(),
        "ssl.truststore.password",
        PASSWORD);
  }

  private Path all() {
    return dir.resolve("all.p12");
  }

  /** The JDK makes certificates by its tool only. */
  private void key(String alias, String name, List<String> more) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-dname",
                name,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                all().toString(),
                "-storepass",
                PASSWORD));
    command.addAll(more);
    Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (tool.waitFor() != 0) {
        throw new IllegalStateException("keytool made no key of " + name + ": " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while keytool makes a key", e);
    }
  }

  private void share() throws IOException, GeneralSecurityException {
    KeyStore all = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(all())) {
      all.load(in, PASSWORD_CHARS);
    }
    Certificate authority = all.getCertificate("authority");
    KeyStore trust = empty();
    trust.setCertificateEntry("ca.crt", authority);
    store(trust, ca().resolve("ca.p12"));
    Files.writeString(ca().resolve("ca.password"), PASSWORD);
    Files.writeString(ca().resolve("ca.crt"), pem("CERTIFICATE", authority.getEncoded()));

    store(only(all, "broker"), dir.resolve("broker.p12"));
    store(only(all, "user"), user().resolve("user.p12"));
    Files.writeString(user().resolve("user.password"), PASSWORD);
    Files.writeString(
        user().resolve("user.key"),
        pem("PRIVATE KEY", all.getKey("user", PASSWORD_CHARS).getEncoded()));
    Files.writeString(
        user().resolve("user.crt"), pem("CERTIFICATE", all.getCertificate("user").getEncoded()));
  }

  private static KeyStore only(KeyStore all, String alias) throws GeneralSecurityException {
    KeyStore one = empty();
    Certificate[] chain = all.getCertificateChain(alias);
    one.setKeyEntry(
        alias, all.getKey(alias, PASSWORD_CHARS), PASSWORD_CHARS, Arrays.copyOf(chain, 1));
    return one;
  }

  private static KeyStore empty() throws GeneralSecurityException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, PASSWORD_CHARS);
      return store;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void store(KeyStore store, Path file)
      throws IOException, GeneralSecurityException {
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD_CHARS);
    }
  }

  private static String pem(String what, byte[] encoded) {
    return "-----BEGIN %s-----%n%s%n-----END %s-----%n"
        .formatted(
            what, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded), what);
  }
}
