package io.cutover.backfill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutover.CutoverDir;
import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.report.StartFacts.Waiver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The file {@code running.json} in {@code cutover.dir}: says which run makes the copy, so that
 * another one keeps its hands off. The run that holds it writes it anew every few seconds; one that
 * does not change while it is watched is nobody's any more. No two clocks are compared.
 *
 * <p>It keeps apart what a person or a scheduler starts twice; two runs that claim within the same
 * moment are told apart at the next beat, and one of them ends.
 */
final class RunClaim {

  static final String FILE = "running.json";
  static final Duration BEAT = Duration.ofSeconds(3);
  private static final Duration WATCH = Duration.ofSeconds(12);
  private static final long LOOK_MILLIS = 500;

  private static final String FORMAT = "cutover-run";
  private static final int VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final CutoverDir dir;
  private final String pinId;
  private final String run;
  private final Duration patience;
  private long beat;

  /**
   * @param run tells this run from any other; the same after a failover of the JobManager
   */
  RunClaim(CutoverDir dir, String pinId, String run) {
    this(dir, pinId, run, WATCH);
  }

  /**
   * @param patience how long another run's claim is watched; longer than a few beats
   */
  RunClaim(CutoverDir dir, String pinId, String run, Duration patience) {
    this.dir = dir;
    this.pinId = pinId;
    this.run = run;
    this.patience = patience;
  }

  /**
   * @param text the whole file: it changes with every beat
   */
  private record Claim(String text, String run, List<Waiver> waivers) {}

  /** For a client, before it submits what would be refused. */
  static void refuseIfHeld(CutoverDir dir, String pinId) {
    new RunClaim(dir, pinId, "").refuseIfHeldByAnother();
  }

  /**
   * Waits until it is clear that no other run holds the claim: at once where there is none, else as
   * long as it takes to see that it is not kept up.
   *
   * @throws Refusal when another run keeps it up
   */
  void refuseIfHeldByAnother() {
    Optional<Claim> first = read().filter(claim -> !claim.run().equals(run));
    long deadline = System.nanoTime() + patience.toNanos();
    while (first.isPresent() && System.nanoTime() - deadline < 0) {
      pause();
      Optional<Claim> now = read();
      if (now.isEmpty()) {
        return;
      }
      if (!now.get().text().equals(first.get().text())) {
        throw new Refusal(
            Reason.ALREADY_RUNNING,
            "copy "
                + pinId
                + " is being made by another run ("
                + now.get().run()
                + " keeps "
                + dir.location(FILE)
                + " up): let it be, or cancel it first");
      }
    }
  }

  /**
   * Takes the claim, which nobody else holds, or writes it anew.
   *
   * @param waivers of the run, for the one that goes on with it
   */
  void take(List<Waiver> waivers) {
    ObjectNode json = JSON.createObjectNode();
    json.put("format", FORMAT).put("version", VERSION).put("pin", pinId).put("run", run);
    json.put("beat", ++beat);
    var array = json.putArray("waivers");
    waivers.forEach(w -> array.addObject().put("check", w.check()).put("found", w.found()));
    dir.write(FILE, out -> out.write(JSON.writeValueAsBytes(json)));
  }

  /** What the claim holds, where it is this very run's: the run goes on after a failover. */
  Optional<List<Waiver>> own() {
    return read().filter(claim -> claim.run().equals(run)).map(Claim::waivers);
  }

  /**
   * Keeps the claim up.
   *
   * @throws Refusal when another run has taken it
   */
  void keepUp() {
    List<Waiver> waivers =
        own()
            .orElseThrow(
                () ->
                    new Refusal(
                        Reason.ALREADY_RUNNING,
                        "another run has taken "
                            + dir.location(FILE)
                            + " from this one, which makes copy "
                            + pinId
                            + " too: two runs were started at the same moment. Let one of them"
                            + " make the copy into an emptied topic"));
    take(waivers);
  }

  /** Gives the claim up, if it is this run's. */
  void giveUp() {
    if (own().isPresent()) {
      dir.delete(FILE);
    }
  }

  private Optional<Claim> read() {
    return dir.read(FILE).map(this::parse);
  }

  private Claim parse(byte[] file) {
    try {
      JsonNode json = JSON.readTree(file);
      if (!json.path("format").asText().equals(FORMAT) || json.path("version").asInt() != VERSION) {
        throw new IOException("not a claim of version " + VERSION);
      }
      List<Waiver> waivers = new ArrayList<>();
      json.path("waivers")
          .forEach(
              w -> waivers.add(new Waiver(w.path("check").asText(), w.path("found").asText())));
      return new Claim(json.toString(), json.path("run").asText(), waivers);
    } catch (IOException e) {
      throw new Refusal(
          Reason.FOLDER_UNUSABLE,
          dir.location(FILE)
              + " cannot be read ("
              + e.getMessage()
              + "): if no run of this copy is on, delete it",
          e);
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while watching another run's claim", e);
    }
  }
}
