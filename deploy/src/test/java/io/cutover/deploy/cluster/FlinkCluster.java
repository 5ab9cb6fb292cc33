package io.cutover.deploy.cluster;

import static org.awaitility.Awaitility.await;

import io.cutover.local.kafka.FreePorts;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A Flink cluster of several processes on 127.0.0.1: a JobManager and TaskManagers, each a JVM of
 * its own, from the jars of a distribution and the configuration that this project ships. The
 * loading of the job's classes is Flink's default, child first. Logs stand in the folder's log.
 */
public final class FlinkCluster implements AutoCloseable {

  private static final String JOB_MANAGER_HEAP = "512m";
  private static final String TASK_MANAGER_HEAP = "384m";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration LOOK = Duration.ofMillis(100);

  private final FlinkHome home;
  private final FlinkRest rest;
  private final List<ChildJvm> taskManagers = new ArrayList<>();
  private Optional<ChildJvm> jobManager = Optional.empty();
  private int jobManagers;
  private int taskManagersEver;

  private FlinkCluster(FlinkHome home, FlinkRest rest) {
    this.home = home;
    this.rest = rest;
  }

  /**
   * Begins to choose a cluster.
   *
   * @param root a folder that is not there yet, for all that the cluster writes
   */
  public static Builder builder(Path root) {
    return new Builder(root);
  }

  /** What can be chosen about a cluster. */
  public static final class Builder {
    private final Path root;
    private final Map<String, String> config = new TreeMap<>();
    private Optional<Path> plugins = Optional.empty();
    private int taskManagers = 2;

    private Builder(Path root) {
      this.root = root;
    }

    /** An entry of Flink's configuration, over what is shipped and what this class sets. */
    public Builder set(String key, String value) {
      config.put(key, value);
      return this;
    }

    /** A folder of plugins: in it a folder for each. */
    public Builder plugins(Path folder) {
      plugins = Optional.of(folder.toAbsolutePath());
      return this;
    }

    /** How many TaskManagers, of two slots each; two if nothing is said. */
    public Builder taskManagers(int count) {
      taskManagers = count;
      return this;
    }

    /** A session cluster, ready to take jobs. */
    public FlinkCluster session() {
      FlinkCluster cluster = lay();
      try {
        cluster.startJobManager(
            "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint");
        cluster.startTaskManagers(taskManagers);
        cluster.awaitTaskManagers(taskManagers);
      } catch (RuntimeException failed) {
        cluster.close();
        throw failed;
      }
      return cluster;
    }

    /** TaskManagers that wait for the JobManager of an application, or of one after the other. */
    public FlinkCluster application(Path... jars) {
      FlinkCluster cluster = lay();
      Arrays.stream(jars).forEach(cluster.home::addToUsrlib);
      cluster.startTaskManagers(taskManagers);
      return cluster;
    }

    private FlinkCluster lay() {
      int rpc = FreePorts.pick(0);
      int rest = FreePorts.pick(rpc);
      Map<String, String> all = new TreeMap<>(OneMachine.config(root, rpc, rest));
      all.putAll(config);
      return new FlinkCluster(
          FlinkHome.lay(root, all, plugins), new FlinkRest(URI.create("http://127.0.0.1:" + rest)));
    }
  }

  public FlinkCli cli() {
    return new FlinkCli(home);
  }

  public FlinkRest rest() {
    return rest;
  }

  /**
   * Starts the JobManager of an application; any before it must have ended.
   *
   * @param mainClass in one of the application's jars
   */
  public void startApplication(String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of("--job-classname", mainClass));
    command.addAll(arguments);
    startJobManager(
        "org.apache.flink.container.entrypoint.StandaloneApplicationClusterEntryPoint",
        command.toArray(String[]::new));
  }

  /**
   * Waits for the end of the JobManager, as an application's end brings it, and gives its exit
   * code.
   */
  public int awaitJobManagerExit(Duration patience) {
    return jobManager.orElseThrow().awaitExit(patience);
  }

  /** What the JobManager has logged. */
  public String jobManagerLog() {
    return jobManager.orElseThrow().log();
  }

  /** Waits until one more checkpoint of the job is complete. */
  public void awaitCheckpoint(String job) {
    int before = rest.checkpoints(job);
    await().atMost(PATIENCE).until(() -> rest.checkpoints(job) > before);
  }

  /** Ends the JobManager as a lost machine would. */
  public void killJobManager() {
    jobManager.orElseThrow().close();
  }

  /** Ends one of the TaskManagers that run as a lost machine would. */
  public void killTaskManager() {
    taskManagers.remove(0).close();
  }

  /** Starts another TaskManager; does not wait for it. */
  public void startTaskManager() {
    startTaskManagers(1);
  }

  private void startJobManager(String mainClass, String... arguments) {
    if (jobManager.filter(ChildJvm::isAlive).isPresent()) {
      throw new IllegalStateException(jobManager.get() + " runs still: await its end, or kill it");
    }
    jobManager.ifPresent(ChildJvm::close);
    List<String> command =
        new ArrayList<>(List.of(mainClass, "--configDir", home.conf().toString()));
    command.addAll(Arrays.asList(arguments));
    jobManager =
        Optional.of(ChildJvm.start(home, "jobmanager-" + ++jobManagers, JOB_MANAGER_HEAP, command));
  }

  private void startTaskManagers(int count) {
    for (int i = 0; i < count; i++) {
      String id = "taskmanager-" + ++taskManagersEver;
      taskManagers.add(
          ChildJvm.start(
              home,
              id,
              TASK_MANAGER_HEAP,
              List.of(
                  "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
                  "--configDir",
                  home.conf().toString(),
                  "-D",
                  "taskmanager.resource-id=" + id)));
    }
  }

  private void awaitTaskManagers(int count) {
    await()
        .atMost(PATIENCE)
        .pollInterval(LOOK)
        .until(
            () -> {
              everyProcess()
                  .filter(jvm -> !jvm.isAlive())
                  .findAny()
                  .ifPresent(
                      ended -> {
                        throw new IllegalStateException(
                            "%s ended while the cluster started. It printed:%n%s"
                                .formatted(ended, ended.output()));
                      });
              return rest.taskManagers() == count;
            });
  }

  private Stream<ChildJvm> everyProcess() {
    return Stream.concat(jobManager.stream(), taskManagers.stream());
  }

  /** Ends every process that it started. */
  @Override
  public void close() {
    everyProcess().forEach(ChildJvm::close);
  }
}
