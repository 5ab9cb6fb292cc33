package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.CutoverDir;
import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.report.StartFacts.Waiver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunClaimTest {

  private static final List<Waiver> WAIVERS = List.of(new Waiver("topic-retention", "denied"));

  @TempDir private Path dir;

  private RunClaim claim(String run) {
    return new RunClaim(
        new CutoverDir(dir.toUri().toString()), "pin", run, Duration.ofMillis(1500));
  }

  @Test
  void whatNobodyHoldsIsTakenAtOnce() {
    long began = System.nanoTime();
    claim("one").refuseIfHeldByAnother();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(1000));
    claim("one").take(WAIVERS);
    assertThat(claim("one").own()).contains(WAIVERS);
    assertThat(claim("other").own()).isEmpty();
  }

  @Test
  void whatIsKeptUpIsRefusedAndLeftAlone() {
    RunClaim one = claim("one");
    one.take(WAIVERS);
    ScheduledExecutorService beats = Executors.newSingleThreadScheduledExecutor();
    try {
      beats.scheduleAtFixedRate(one::keepUp, 100, 100, TimeUnit.MILLISECONDS);
      assertThatThrownBy(() -> claim("other").refuseIfHeldByAnother())
          .isInstanceOfSatisfying(
              Refusal.class,
              refusal -> assertThat(refusal.reason()).isEqualTo(Reason.ALREADY_RUNNING))
          .hasMessageContaining("one keeps")
          .hasMessageContaining("running.json");
      assertThat(one.own()).contains(WAIVERS);
    } finally {
      beats.shutdownNow();
    }
  }

  @Test
  void whatIsNotKeptUpAnyMoreCanBeTaken() {
    claim("dead").take(List.of());
    claim("one").refuseIfHeldByAnother();
    claim("one").take(WAIVERS);
    assertThat(claim("one").own()).contains(WAIVERS);
  }

  @Test
  void ownClaimIsNoHindrance() {
    claim("one").take(WAIVERS);
    assertThatCode(() -> claim("one").refuseIfHeldByAnother()).doesNotThrowAnyException();
  }

  @Test
  void runThatLostItsClaimFindsOut() {
    RunClaim one = claim("one");
    one.take(WAIVERS);
    claim("other").take(List.of());
    assertThatThrownBy(one::keepUp)
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("another run has taken")
        .hasMessageContaining("[ALREADY_RUNNING]");
    assertThat(claim("other").own()).contains(List.of());
  }

  @Test
  void onlyTheOwnClaimIsGivenUp() {
    claim("one").take(WAIVERS);
    claim("other").giveUp();
    assertThat(dir.resolve("running.json")).exists();
    claim("one").giveUp();
    assertThat(dir.resolve("running.json")).doesNotExist();
    claim("one").giveUp();
  }

  @Test
  void fileThatIsNoClaimIsRefusedByName() throws IOException {
    Files.writeString(dir.resolve("running.json"), "{\"format\":\"cutover-run\",\"version\":2}");
    assertThatThrownBy(() -> claim("one").refuseIfHeldByAnother())
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("running.json")
        .hasMessageContaining("delete it");
  }
}
