package io.cutover.local.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class LocalStackTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine stack =
      LocalStack.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--kafka-port 70000",
        "--kinesis-port -1",
        "--seed many",
        "--seed 0",
        "--out",
        "x"
      })
  void badArgumentsEndWith64AndNameTheArgument(String arguments) {
    String[] words = arguments.split(" ", -1);

    assertThat(stack.execute(words)).isEqualTo(64);
    assertThat(err.toString().lines().findFirst()).get().asString().contains(words[0]);
  }

  @Test
  void helpAndVersionEndWith0() {
    assertThat(stack.execute("--help")).isZero();
    assertThat(out.toString()).contains("--kinesis-port", "--kafka-port", "--seed", "--out");
    assertThat(stack.execute("--version")).isZero();
    assertThat(out.toString()).contains("Kinesis Cutover local stack");
  }

  @Test
  void aTakenPortEndsWith1AndOneLine() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());

      assertThat(stack.execute("--kafka-port", port)).isEqualTo(1);

      assertThat(err.toString()).hasLineCount(1).startsWith("stack.sh: Port " + port);
    }
  }
}
