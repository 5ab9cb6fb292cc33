package io.cutover.local.kinesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.kinesis.model.ExpiredIteratorException;
import software.amazon.awssdk.services.kinesis.model.GetRecordsResponse;
import software.amazon.awssdk.services.kinesis.model.KinesisException;
import software.amazon.awssdk.services.kinesis.model.LimitExceededException;
import software.amazon.awssdk.services.kinesis.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.kinesis.model.ResourceNotFoundException;

class FaultsTest extends EmulatorFixture {

  private static final String GET_RECORDS = "GetRecords";

  private final EmulatedStream stream = emulator.createStream(STREAM, 2);
  private final String one = stream.shards().get(0).id();
  private final String two = stream.shards().get(1).id();

  FaultsTest() {
    super(KinesisEmulator.builder());
  }

  @Test
  void throttlesOneShardAndNotItsSibling() {
    Faults.Fault fault = emulator.faults().on(GET_RECORDS).shard(one).times(2).throttle();
    String iterator = horizon(one);
    assertThatThrownBy(() -> page(iterator))
        .isInstanceOf(ProvisionedThroughputExceededException.class);
    assertThatCode(() -> page(horizon(two))).doesNotThrowAnyException();
    assertThatThrownBy(() -> page(iterator))
        .isInstanceOf(ProvisionedThroughputExceededException.class);
    assertThatCode(() -> page(iterator)).doesNotThrowAnyException();
    assertThat(fault.hits()).isEqualTo(2);
  }

  @Test
  void strikesAfterSomeCalls() {
    emulator.faults().on(GET_RECORDS).after(1).times(1).expiredIterator();
    String iterator = horizon(one);
    assertThatCode(() -> page(iterator)).doesNotThrowAnyException();
    assertThatThrownBy(() -> page(iterator)).isInstanceOf(ExpiredIteratorException.class);
    assertThatCode(() -> page(iterator)).doesNotThrowAnyException();
  }

  @Test
  void failsInsideAndIsUnavailable() {
    emulator.faults().on("ListShards").times(1).internalFailure();
    emulator.faults().on("DescribeStreamSummary").times(1).unavailable503();
    emulator.faults().on("GetShardIterator").times(1).limitExceeded();
    assertThatThrownBy(() -> client.listShards(r -> r.streamName(STREAM)))
        .isInstanceOfSatisfying(
            KinesisException.class, e -> assertThat(e.statusCode()).isEqualTo(500));
    assertThatThrownBy(() -> client.describeStreamSummary(r -> r.streamName(STREAM)))
        .isInstanceOfSatisfying(
            KinesisException.class, e -> assertThat(e.statusCode()).isEqualTo(503));
    assertThatThrownBy(() -> horizon(one)).isInstanceOf(LimitExceededException.class);
  }

  @Test
  void cutsTheConnectionInTheMiddleOfTheBody() {
    stream.put(one, PutSpec.of("k", new byte[100_000], NOW));
    String iterator = horizon(one);
    emulator.faults().on(GET_RECORDS).times(1).cutConnection();
    assertThatThrownBy(() -> page(iterator)).isInstanceOf(SdkClientException.class);
    assertThat(page(iterator).records()).hasSize(1);
    assertThat(emulator.calls())
        .filteredOn(call -> call.action().equals(GET_RECORDS))
        .extracting(Call::outcome)
        .containsExactly(Call.CUT, Call.OK);
  }

  @Test
  void emptyPageInMidDataLosesNothing() {
    stream.put(one, text("a", NOW));
    emulator.faults().on(GET_RECORDS).times(3).emptyPage();
    List<GetRecordsResponse> pages = pages(horizon(one), 4);
    assertThat(pages.subList(0, 3))
        .allSatisfy(page -> assertThat(page.records()).isEmpty())
        .allSatisfy(page -> assertThat(page.millisBehindLatest()).isPositive());
    assertThat(texts(pages.get(3))).containsExactly("a");
  }

  @Test
  void vanishedShardIsNotFound() {
    String iterator = horizon(one);
    stream.vanish(one);
    assertThatThrownBy(() -> page(iterator)).isInstanceOf(ResourceNotFoundException.class);
    assertThatThrownBy(() -> horizon(one)).isInstanceOf(ResourceNotFoundException.class);
    assertThat(client.listShards(r -> r.streamName(STREAM)).shards()).hasSize(1);
  }

  @Test
  void delayedCallsDoNotHoldUpOneAnother() throws Exception {
    int callers = 200;
    Duration delay = Duration.ofMillis(500);
    String iterator = horizon(one);
    emulator.faults().on(GET_RECORDS).delay(delay);
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    try {
      long start = System.nanoTime();
      List<Future<GetRecordsResponse>> answers =
          IntStream.range(0, callers).mapToObj(i -> threads.submit(() -> page(iterator))).toList();
      for (Future<GetRecordsResponse> answer : answers) {
        assertThat(answer.get().nextShardIterator()).isNotNull();
      }
      // One after another they would take 100 s.
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThanOrEqualTo(delay)
          .isLessThan(Duration.ofSeconds(20));
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void clearEndsEveryFault() {
    emulator.faults().on("*").throttle();
    emulator.faults().clear();
    assertThatCode(() -> page(horizon(one))).doesNotThrowAnyException();
  }
}
