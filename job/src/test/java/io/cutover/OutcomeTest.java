package io.cutover;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.backfill.LostRecords;
import io.cutover.config.UsageException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.ExecutionException;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.util.SerializedThrowable;
import org.junit.jupiter.api.Test;

class OutcomeTest {

  private static Throwable fromTheCluster(Throwable cause) {
    return new ExecutionException(new SuppressRestartsException(cause));
  }

  @Test
  void badArgumentsAreUsage() {
    assertThat(Outcome.of(new UsageException("no such option")))
        .isEqualTo(new Outcome(64, "no such option"));
  }

  @Test
  void refusalIsFoundHoweverDeep() {
    assertThat(Outcome.of(fromTheCluster(new Refusal("not so"))))
        .isEqualTo(new Outcome(3, "not so"));
  }

  @Test
  void refusalOfTheJobsOwnClassLoaderIsARefusal() throws Exception {
    URL classes = Refusal.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes}, null)) {
      Throwable foreign =
          (Throwable)
              loader
                  .loadClass(Refusal.class.getName())
                  .getConstructor(String.class)
                  .newInstance("not so");

      assertThat(foreign).isNotInstanceOf(Refusal.class);
      assertThat(Outcome.of(fromTheCluster(foreign))).isEqualTo(new Outcome(3, "not so"));
    }
  }

  @Test
  void refusalThatIsOnlyDescribedIsARefusal() {
    Throwable described = new SerializedThrowable(fromTheCluster(new Refusal("not so")));

    assertThat(Outcome.of(described)).isEqualTo(new Outcome(3, "not so"));
  }

  @Test
  void lostRecordsAreAFailureNotARefusal() {
    assertThat(Outcome.of(fromTheCluster(new LostRecords("gone"))))
        .isEqualTo(new Outcome(1, "gone"));
  }

  @Test
  void anythingElseFailsWithItsInnermostCause() {
    Throwable cause = new IllegalStateException("broken");

    assertThat(Outcome.of(new RuntimeException("outer", cause)))
        .isEqualTo(new Outcome(1, "java.lang.IllegalStateException: broken"));
  }
}
