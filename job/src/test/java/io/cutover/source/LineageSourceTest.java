package io.cutover.source;

import static io.cutover.source.Given.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.Refusal;
import io.cutover.kinesis.KinesisOptions;
import io.cutover.kinesis.KinesisOptions.CredentialsProvider;
import io.cutover.lineage.Boundary;
import io.cutover.lineage.Lineage;
import io.cutover.lineage.ReleasePolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class LineageSourceTest {

  private final FakeEnumeratorContext context = new FakeEnumeratorContext(1);

  private static final class Counting implements Admission {
    private static final long serialVersionUID = 1L;
    private final List<Boolean> asked = new ArrayList<>();
    private boolean refuses;

    @Override
    public void beforeTasks(boolean anew) {
      asked.add(anew);
      if (refuses) {
        throw new Refusal(io.cutover.Reason.ALREADY_RUNNING, "it is running already");
      }
    }

    @Override
    public String beforeFirstShard() {
      throw new AssertionError("asked later");
    }

    @Override
    public void afterRestore() {
      throw new AssertionError("asked later");
    }

    @Override
    public void stillOn() {
      throw new AssertionError("asked later");
    }

    @Override
    public void over() {}
  }

  private final Counting admission = new Counting();
  private final LineageSource source =
      new LineageSource(
          "copy",
          List.of(),
          config(),
          ReadStart.at(NOW.minusSeconds(60)),
          new Boundary(NOW, Duration.ZERO),
          new StreamLife(NOW, Duration.ofDays(1)),
          ReleasePolicy.ORDERED,
          admission);

  private static Configuration config() {
    Configuration config = new Configuration();
    config.set(KinesisOptions.STREAM, "orders");
    config.set(KinesisOptions.REGION, "us-east-1");
    config.set(KinesisOptions.CREDENTIALS_PROVIDER, CredentialsProvider.BASIC);
    config.set(KinesisOptions.ACCESS_KEY_ID, "local");
    config.set(KinesisOptions.SECRET_KEY, "local");
    return config;
  }

  private static LineageState state(String identity) {
    return new LineageState(identity, Optional.of("found"), Lineage.empty(), Map.of());
  }

  @Test
  void readingIsBounded() {
    assertThat(source.getBoundedness()).isEqualTo(Boundedness.BOUNDED);
  }

  @Test
  void admissionIsAskedOnceThoughTheJobBeginsAgainBeforeItsFirstCheckpoint() throws IOException {
    source.createEnumerator(context).close();
    source.createEnumerator(context).close();
    assertThat(admission.asked).containsExactly(true, false);
  }

  @Test
  void refusedAdmissionFailsWithoutARestart() {
    admission.refuses = true;
    assertThatThrownBy(() -> source.createEnumerator(context))
        .isInstanceOf(SuppressRestartsException.class)
        .hasRootCauseMessage("it is running already [ALREADY_RUNNING]");
  }

  @Test
  void restoredCopyIsNoFreshStart() throws IOException {
    source.restoreEnumerator(context, state("copy")).close();
    source.createEnumerator(context).close();
    assertThat(admission.asked).containsExactly(false, false);
  }

  /** What is thrown earlier, Flink can lose. */
  @Test
  void checkpointOfAnotherCopyIsRefusedWhenTheEnumeratorStarts() throws IOException {
    var enumerator = source.restoreEnumerator(context, state("other"));
    assertThatThrownBy(enumerator::start)
        .isInstanceOf(SuppressRestartsException.class)
        .cause()
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("other")
        .hasMessageContaining("copy");
  }

  @Test
  void refusedRestoreFailsWithoutARestartWhenTheEnumeratorStarts() throws IOException {
    admission.refuses = true;
    var enumerator = source.restoreEnumerator(context, state("copy"));
    assertThatThrownBy(enumerator::start)
        .isInstanceOf(SuppressRestartsException.class)
        .hasRootCauseMessage("it is running already [ALREADY_RUNNING]");
  }

  @Test
  void sourceTravelsToItsTasks() throws Exception {
    assertThat(InstantiationUtil.clone(source).getBoundedness()).isEqualTo(Boundedness.BOUNDED);
  }
}
