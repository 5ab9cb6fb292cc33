package io.cutover.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.config.BackfillOptions;
import io.cutover.kafka.KafkaClientProperties;
import io.cutover.kafka.KafkaOptions;
import io.cutover.pin.Pins;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.jobgraph.topology.DefaultLogicalTopology;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamEdge;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.streaming.runtime.partitioner.ForwardPartitioner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shape that order and recovery stand on. */
class TopologyTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void everyRecordStaysOnTheSubtaskThatReadIt(int parallelism) {
    StreamGraph graph = graph(parallelism);

    List<StreamNode> path =
        List.of(node(graph, "kinesis lineage"), node(graph, "Writer"), node(graph, "Committer"));
    for (int i = 1; i < path.size(); i++) {
      List<StreamEdge> edges = graph.getStreamEdges(path.get(i - 1).getId(), path.get(i).getId());
      assertThat(edges)
          .singleElement()
          .satisfies(e -> assertThat(e.getPartitioner()).isInstanceOf(ForwardPartitioner.class));
    }
    assertThat(path).extracting(StreamNode::getParallelism).containsOnly(parallelism);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void sourceAndSinkAreOneChainAndOneSettlementStandsBehind(int parallelism) {
    List<JobVertex> vertices = vertices(graph(parallelism).getJobGraph());

    assertThat(vertices).hasSize(2);
    assertThat(vertices.get(0).getName())
        .contains("kinesis lineage", "witness", "Writer", "Committer");
    assertThat(vertices.get(0).getParallelism()).isEqualTo(parallelism);
    assertThat(vertices.get(1).getName()).contains("settlement");
    assertThat(vertices.get(1).getParallelism()).isEqualTo(1);
    assertThat(vertices.get(1).getMaxParallelism()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void wholeJobFailsOverTogether(int parallelism) {
    JobGraph graph = graph(parallelism).getJobGraph();

    assertThat(DefaultLogicalTopology.fromJobGraph(graph).getAllPipelinedRegions()).hasSize(1);
  }

  /** The source first. */
  private static List<JobVertex> vertices(JobGraph graph) {
    return graph.getVerticesSortedTopologicallyFromSources().stream()
        .sorted(Comparator.comparing(vertex -> !vertex.isInputVertex()))
        .toList();
  }

  private static StreamNode node(StreamGraph graph, String name) {
    return graph.getStreamNodes().stream()
        .filter(node -> node.getOperatorName().contains(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no operator is named " + name));
  }

  private static StreamGraph graph(int parallelism) {
    Configuration config = new Configuration();
    config.set(BackfillOptions.DIR, "file:///nowhere");
    config.set(KafkaOptions.BOOTSTRAP_SERVERS, "127.0.0.1:1");
    BackfillJob job =
        new BackfillJob(
            new CopyTerms(Pins.any(), config),
            KafkaClientProperties.load(config),
            Optional.empty());
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(job.flinkConfig());
    env.setParallelism(parallelism);
    job.addTo(env);
    return env.getStreamGraph();
  }
}
