package io.cutover.deploy.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;

/** What a cluster tells by its REST interface. */
public final class FlinkRest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int FOUND = 200;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final URI root;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

  FlinkRest(URI root) {
    this.root = root;
  }

  public URI root() {
    return root;
  }

  /** The answer to a GET; none while nobody listens, or where there is no such thing. */
  public Optional<JsonNode> get(String path) {
    HttpRequest request = HttpRequest.newBuilder(root.resolve(path)).timeout(PATIENCE).build();
    try {
      var answer = http.send(request, BodyHandlers.ofString());
      return answer.statusCode() == FOUND
          ? Optional.of(JSON.readTree(answer.body()))
          : Optional.empty();
    } catch (java.net.http.HttpTimeoutException | java.net.ConnectException notYet) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(request.uri() + " gave no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while asking " + request.uri(), e);
    }
  }

  /**
   * As Flink names it: RUNNING, FINISHED, FAILED and so on; none of a job that it does not know.
   */
  public Optional<String> jobState(String job) {
    return get("/jobs/" + job).map(answer -> answer.path("state").asText());
  }

  /** Why the job failed, with the stack trace; empty where it did not. */
  public String failure(String job) {
    return get("/jobs/" + job + "/exceptions")
        .map(answer -> answer.path("exceptionHistory").path("entries").toString())
        .orElse("");
  }

  /** How often the job has begun to run; 1 where it was never restarted. */
  public int attempts(String job) {
    JsonNode vertices = get("/jobs/" + job).map(j -> j.path("vertices")).orElseThrow();
    int most = 0;
    for (JsonNode vertex : vertices) {
      JsonNode subtasks =
          get("/jobs/" + job + "/vertices/" + vertex.path("id").asText())
              .map(v -> v.path("subtasks"))
              .orElseThrow();
      for (JsonNode subtask : subtasks) {
        most = Math.max(most, subtask.path("attempt").asInt() + 1);
      }
    }
    return most;
  }

  /** Checkpoints of the job that are complete. */
  public int checkpoints(String job) {
    return get("/jobs/" + job + "/checkpoints")
        .map(answer -> answer.at("/counts/completed").asInt())
        .orElse(0);
  }

  /** The checkpoint from which the job was taken up, if it was. */
  public Optional<Long> restoredFrom(String job) {
    return get("/jobs/" + job + "/checkpoints")
        .map(answer -> answer.at("/latest/restored/id"))
        .filter(JsonNode::isNumber)
        .map(JsonNode::asLong);
  }

  /** The TaskManagers that are registered. */
  public int taskManagers() {
    return get("/taskmanagers").map(answer -> answer.path("taskmanagers").size()).orElse(0);
  }
}
