package io.cutover;

import static org.assertj.core.api.Assertions.assertThat;

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
    assertThat(Outcome.of(new UsageException(Reason.OPTION_UNKNOWN, "no such option")))
        .isEqualTo(new Outcome(64, "no such option [OPTION_UNKNOWN]"));
  }

  @Test
  void refusalIsFoundHoweverDeep() {
    assertThat(Outcome.of(fromTheCluster(new Refusal(Reason.FOREIGN_RECORDS, "not so"))))
        .isEqualTo(new Outcome(3, "not so [FOREIGN_RECORDS]"));
  }

  @Test
  void refusalOfTheJobsOwnClassLoaderIsARefusal() throws Exception {
    URL classes = Refusal.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes}, null)) {
      Throwable foreign =
          (Throwable)
              loader
                  .loadClass(Refusal.class.getName())
                  .getConstructor(loader.loadClass(Reason.class.getName()), String.class)
                  .newInstance(foreignReason(loader), "not so");

      assertThat(foreign).isNotInstanceOf(Refusal.class);
      assertThat(Outcome.of(fromTheCluster(foreign)))
          .isEqualTo(new Outcome(3, "not so [FOREIGN_RECORDS]"));
    }
  }

  private static Object foreignReason(ClassLoader loader) throws Exception {
    return loader
        .loadClass(Reason.class.getName())
        .getField(Reason.FOREIGN_RECORDS.name())
        .get(null);
  }

  @Test
  void refusalThatIsOnlyDescribedIsARefusal() {
    Throwable described =
        new SerializedThrowable(fromTheCluster(new Refusal(Reason.FOREIGN_RECORDS, "not so")));

    assertThat(Outcome.of(described)).isEqualTo(new Outcome(3, "not so [FOREIGN_RECORDS]"));
  }

  @Test
  void lostRecordsAreAFailureNotARefusal() {
    assertThat(Outcome.of(fromTheCluster(new Refusal(Reason.RECORDS_LOST, "gone"))))
        .isEqualTo(new Outcome(1, "gone [RECORDS_LOST]"));
  }

  @Test
  void anythingElseFailsWithItsInnermostCause() {
    Throwable cause = new IllegalStateException("broken");

    assertThat(Outcome.of(new RuntimeException("outer", cause)))
        .isEqualTo(new Outcome(1, "java.lang.IllegalStateException: broken"));
  }
}
