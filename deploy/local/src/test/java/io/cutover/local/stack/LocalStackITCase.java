package io.cutover.local.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStackITCase {
  private static final Duration START = Duration.ofMinutes(3);

  @TempDir private Path directory;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endWhatATestLeft() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void theFileAppearsOnceBothAreUpAndASigtermEndsBoth() throws Exception {
    Path out = directory.resolve("sub/stack.properties");
    Process stack = start("--seed", "1000", "--out", out.toString());
    await()
        .atMost(START)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> Files.exists(out) || !stack.isAlive());
    assertThat(stack.isAlive()).as(Files.readString(log())).isTrue();

    Properties facts = new Properties();
    facts.load(Files.newBufferedReader(out));
    int kinesis = URI.create(facts.getProperty("kinesis.endpoint")).getPort();
    String bootstrap = facts.getProperty("kafka.bootstrap.servers");
    int kafka = URI.create("kafka://" + bootstrap).getPort();
    assertThat(facts.stringPropertyNames())
        .contains("kinesis.stream", "kafka.topic", "pin.boundary", "seed.records.after");
    assertThat(facts).containsEntry("seed.records.before", "1000");
    assertThat(listens(kinesis)).isTrue();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      assertThat(admin.listTopics().names().get()).contains("events");
    }
    List<ProcessHandle> children = stack.children().toList();
    assertThat(children).hasSize(1);

    stack.toHandle().destroy();

    assertThat(stack.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(children).noneMatch(ProcessHandle::isAlive);
    assertThat(listens(kinesis)).isFalse();
    assertThat(listens(kafka)).isFalse();
    assertThat(out).doesNotExist();
    assertThat(directory.resolve("tmp")).isEmptyDirectory();
    assertThat(Files.readAllLines(log()))
        .contains("kinesis.endpoint=http://127.0.0.1:" + kinesis)
        .contains("kafka.bootstrap.servers=127.0.0.1:" + kafka);
  }

  @Test
  void theBrokerDiesWithAStackThatIsKilled() throws Exception {
    Process stack = start();
    await().atMost(START).until(() -> stack.children().findAny().isPresent() || !stack.isAlive());
    List<ProcessHandle> children = stack.children().toList();
    assertThat(children).hasSize(1);

    stack.destroyForcibly();

    await().atMost(Duration.ofSeconds(30)).until(() -> !children.get(0).isAlive());
  }

  @Test
  void aSigtermWhileTheBrokerStartsLeavesNothingEither() throws Exception {
    Path out = directory.resolve("stack.properties");
    Process stack = start("--out", out.toString());
    Path tmp = directory.resolve("tmp");
    await().atMost(START).until(() -> stack.children().findAny().isPresent() || !stack.isAlive());
    List<ProcessHandle> children = stack.children().toList();
    assertThat(children).hasSize(1);

    stack.toHandle().destroy();

    assertThat(stack.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(children).noneMatch(ProcessHandle::isAlive);
    assertThat(tmp).isEmptyDirectory();
    assertThat(out).doesNotExist();
  }

  private Process start(String... arguments) throws IOException {
    Path tmp = Files.createDirectories(directory.resolve("tmp"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + tmp);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(LocalStack.class.getName());
    command.addAll(Arrays.asList(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log().toFile())
            .start();
    started.add(process);
    return process;
  }

  private Path log() {
    return directory.resolve("stack.log");
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException refused) {
      return false;
    }
  }
}
