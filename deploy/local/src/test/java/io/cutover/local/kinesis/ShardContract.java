package io.cutover.local.kinesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.kinesis.model.InvalidArgumentException;
import software.amazon.awssdk.services.kinesis.model.ListShardsResponse;
import software.amazon.awssdk.services.kinesis.model.PutRecordResponse;
import software.amazon.awssdk.services.kinesis.model.ResourceNotFoundException;
import software.amazon.awssdk.services.kinesis.model.Shard;
import software.amazon.awssdk.services.kinesis.model.ShardFilter;
import software.amazon.awssdk.services.kinesis.model.ShardFilterType;

/** The rules for listing and resharding. */
interface ShardContract {

  ContractServer server();

  private List<String> listed(String stream, ShardFilter filter) {
    return server()
        .client()
        .listShards(r -> r.streamName(stream).shardFilter(filter))
        .shards()
        .stream()
        .map(Shard::shardId)
        .toList();
  }

  private List<String> listed(String stream, ShardFilterType type) {
    return listed(stream, ShardFilter.builder().type(type).build());
  }

  @Test
  default void openShardsTileTheHashKeys() {
    String stream = server().createStream(3);
    server().split(stream, server().shards(stream).get(1).shardId());
    List<Shard> open =
        server().shards(stream).stream()
            .filter(s -> s.sequenceNumberRange().endingSequenceNumber() == null)
            .sorted(Comparator.comparing(s -> new BigInteger(s.hashKeyRange().startingHashKey())))
            .toList();
    BigInteger next = BigInteger.ZERO;
    for (Shard shard : open) {
      assertThat(shard.hashKeyRange().startingHashKey()).isEqualTo(next.toString());
      next = new BigInteger(shard.hashKeyRange().endingHashKey()).add(BigInteger.ONE);
    }
    assertThat(open).hasSize(4);
    assertThat(next).isEqualTo(BigInteger.ONE.shiftLeft(128));
  }

  @Test
  default void splitClosesTheParentAndNamesItInTheChildren() {
    String stream = server().createStream(1);
    String parent = server().shards(stream).get(0).shardId();
    List<Shard> children = server().split(stream, parent);
    assertThat(children).hasSize(2).allSatisfy(c -> assertThat(c.adjacentParentShardId()).isNull());
    assertThat(server().shards(stream).get(0).sequenceNumberRange().endingSequenceNumber())
        .isNotNull();
  }

  @Test
  default void closedShardEndsAboveItsRecordsAndBelowItsChildren() {
    String stream = server().createStream(1);
    PutRecordResponse put = server().put(stream, "x");
    List<Shard> children = server().split(stream, put.shardId());
    String ending = server().shards(stream).get(0).sequenceNumberRange().endingSequenceNumber();
    server()
        .rule(
            KnownDifference.ENDING_SEQUENCE_NUMBER,
            () ->
                assertThat(new BigInteger(ending))
                    .isGreaterThanOrEqualTo(new BigInteger(put.sequenceNumber()))
                    .isLessThan(
                        new BigInteger(
                            children.get(0).sequenceNumberRange().startingSequenceNumber())));
  }

  @Test
  default void mergeNamesBothParents() {
    String stream = server().createStream(2);
    List<Shard> parents = server().shards(stream);
    server()
        .client()
        .mergeShards(
            r ->
                r.streamName(stream)
                    .shardToMerge(parents.get(0).shardId())
                    .adjacentShardToMerge(parents.get(1).shardId()));
    server().awaitActive(stream);
    Shard child = server().shards(stream).get(2);
    assertThat(List.of(child.parentShardId(), child.adjacentParentShardId()))
        .containsExactlyInAnyOrder(parents.get(0).shardId(), parents.get(1).shardId());
    assertThat(child.hashKeyRange().startingHashKey()).isEqualTo("0");
  }

  @Test
  default void impossibleReshardingIsRefused() {
    String stream = server().createStream(3);
    List<Shard> shards = server().shards(stream);
    assertThatThrownBy(
            () ->
                server()
                    .client()
                    .splitShard(
                        r ->
                            r.streamName(stream)
                                .shardToSplit(shards.get(1).shardId())
                                .newStartingHashKey("1")))
        .isInstanceOf(InvalidArgumentException.class);
    assertThatThrownBy(
            () ->
                server()
                    .client()
                    .mergeShards(
                        r ->
                            r.streamName(stream)
                                .shardToMerge(shards.get(0).shardId())
                                .adjacentShardToMerge(shards.get(2).shardId())))
        .isInstanceOf(InvalidArgumentException.class);
    assertThatThrownBy(
            () ->
                server()
                    .client()
                    .splitShard(
                        r ->
                            r.streamName(stream)
                                .shardToSplit("shardId-000000000099")
                                .newStartingHashKey("1")))
        .isInstanceOf(ResourceNotFoundException.class);
  }

  @Test
  default void filtersTellOpenFromClosed() {
    String stream = server().createStream(1);
    String parent = server().shards(stream).get(0).shardId();
    Instant before = Instant.now();
    // Servers may date shards in whole seconds, rounded down.
    await().until(() -> Instant.now().isAfter(before.plusMillis(1100)));
    List<String> children = server().split(stream, parent).stream().map(Shard::shardId).toList();
    List<String> all = List.of(parent, children.get(0), children.get(1));
    assertThat(listed(stream, ShardFilterType.AT_LATEST)).isEqualTo(children);
    assertThat(listed(stream, ShardFilterType.FROM_TRIM_HORIZON)).isEqualTo(all);
    assertThat(
            listed(
                stream,
                ShardFilter.builder().type(ShardFilterType.AFTER_SHARD_ID).shardId(parent).build()))
        .isEqualTo(children);
    assertThat(
            listed(
                stream,
                ShardFilter.builder()
                    .type(ShardFilterType.FROM_TIMESTAMP)
                    .timestamp(before)
                    .build()))
        .isEqualTo(all);
    server()
        .rule(
            KnownDifference.OPEN_AT_TRIM_HORIZON,
            () ->
                assertThat(listed(stream, ShardFilterType.AT_TRIM_HORIZON))
                    .isEqualTo(List.of(parent)));
    assertThat(
            listed(
                stream,
                ShardFilter.builder().type(ShardFilterType.AT_TIMESTAMP).timestamp(before).build()))
        .isEqualTo(List.of(parent));
  }

  @Test
  default void listingComesInPages() {
    String stream = server().createStream(5);
    List<String> listed = new ArrayList<>();
    ListShardsResponse page = server().client().listShards(r -> r.streamName(stream).maxResults(2));
    int pages = 1;
    for (; page.nextToken() != null; pages++) {
      assertThat(page.shards()).hasSize(2);
      page.shards().forEach(s -> listed.add(s.shardId()));
      String token = page.nextToken();
      page = server().client().listShards(r -> r.nextToken(token).maxResults(2));
    }
    page.shards().forEach(s -> listed.add(s.shardId()));
    assertThat(pages).isEqualTo(3);
    assertThat(listed).isEqualTo(server().shards(stream).stream().map(Shard::shardId).toList());
  }

  @Test
  default void listingStartsBehindAShard() {
    String stream = server().createStream(3);
    String first = server().shards(stream).get(0).shardId();
    assertThat(
            server()
                .client()
                .listShards(r -> r.streamName(stream).exclusiveStartShardId(first))
                .shards())
        .hasSize(2);
  }

  @Test
  default void tokenAndStreamNameExcludeEachOther() {
    String stream = server().createStream(2);
    String token =
        server().client().listShards(r -> r.streamName(stream).maxResults(1)).nextToken();
    assertThatThrownBy(
            () -> server().client().listShards(r -> r.streamName(stream).nextToken(token)))
        .isInstanceOf(InvalidArgumentException.class);
  }
}
