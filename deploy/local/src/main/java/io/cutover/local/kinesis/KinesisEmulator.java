package io.cutover.local.kinesis;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kinesis server in this process, on the loopback address, for unmodified AWS SDK clients over
 * plain HTTP/1.1. It answers as AWS does, and its Java API does what AWS would not let a test do:
 * choose arrivals, move the clock, trim, and break calls.
 */
public final class KinesisEmulator implements AutoCloseable {

  /** What it understands. */
  static final Set<String> ACTIONS =
      Set.of(
          "CreateStream",
          "DecreaseStreamRetentionPeriod",
          "DeleteStream",
          "DescribeStreamSummary",
          "GetRecords",
          "GetShardIterator",
          "IncreaseStreamRetentionPeriod",
          "ListShards",
          "MergeShards",
          "PutRecord",
          "PutRecords",
          "SplitShard");

  private static final Logger LOG = LoggerFactory.getLogger(KinesisEmulator.class);
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private final EmulatorClock clock = new EmulatorClock();
  private final Faults faults = new Faults();
  private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
  private final Streams streams = new Streams(clock);
  private final StreamActions streamActions = new StreamActions(streams, clock);
  private final ShardActions shardActions = new ShardActions(streams, clock);
  private final WriteActions writeActions = new WriteActions(streams, clock);
  private final ReadActions readActions;
  private final HttpServer server;

  private KinesisEmulator(Builder builder) {
    readActions =
        new ReadActions(
            streams, clock, builder.awsLimits ? Optional.of(new ReadLimits()) : Optional.empty());
    server = new HttpServer(builder.port, this::answer);
  }

  /** On a free port, without AWS's limits. */
  public static KinesisEmulator start() {
    return builder().start();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** What can be chosen before the start. */
  public static final class Builder {
    private int port;
    private boolean awsLimits;

    private Builder() {}

    /** 0, the default, takes a free one. */
    public Builder port(int number) {
      port = number;
      return this;
    }

    /** Whether GetRecords is held to 5 calls and 2 MiB a second and shard. */
    public Builder awsLimits(boolean on) {
      awsLimits = on;
      return this;
    }

    public KinesisEmulator start() {
      return new KinesisEmulator(this);
    }
  }

  /** {@code http://127.0.0.1:port}, for the SDK's endpoint override. */
  public URI endpoint() {
    return server.uri();
  }

  public EmulatorClock clock() {
    return clock;
  }

  public Faults faults() {
    return faults;
  }

  /** A stream created now, its hash keys shared out evenly. */
  public EmulatedStream createStream(String name, int shards) {
    return createStream(name, shards, clock.instant());
  }

  /** A stream created at an instant, so that its shards can have a past. */
  public EmulatedStream createStream(String name, int shards, Instant createdAt) {
    return streams.create(name, shards, createdAt);
  }

  public EmulatedStream stream(String name) {
    return streams
        .find(name)
        .orElseThrow(() -> new IllegalArgumentException("there is no stream " + name));
  }

  public void deleteStream(String name) {
    streams.delete(stream(name));
  }

  /** The calls so far, in the order in which they were answered. */
  public List<Call> calls() {
    return List.copyOf(calls);
  }

  public void clearCalls() {
    calls.clear();
  }

  /** Ends every connection; the streams are gone. */
  @Override
  public void close() {
    server.close();
  }

  private HttpServer.Response answer(HttpServer.Request request) throws InterruptedException {
    WireFormat format = WireFormat.of(request.header("content-type"));
    String target = request.header("x-amz-target");
    if (!request.method().equals("POST")) {
      return response(Answer.empty(), format, Optional.empty(), false);
    }
    Instant at = clock.instant();
    String action = target.substring(target.indexOf('.') + 1);
    Addressee to = Addressee.UNKNOWN;
    try {
      Arguments arguments = new Arguments(parse(request, format), format);
      to = Addressee.of(action, arguments);
      Faults.Verdict verdict = faults.judge(action, to.stream(), to.shardId());
      if (!verdict.delay().isZero()) {
        Thread.sleep(verdict.delay().toMillis());
      }
      if (verdict.refusal().isPresent()) {
        throw verdict.refusal().get();
      }
      Answer answer = perform(action, arguments, verdict.emptyPage());
      HttpServer.Response response = response(answer, format, Optional.empty(), verdict.cut());
      calls.add(to.call(at, action, verdict.cut() ? Call.CUT : Call.OK, answer.records(), format));
      return response;
    } catch (KinesisError error) {
      calls.add(to.call(at, action, error.type(), 0, format));
      return response(error(error), format, Optional.of(error), false);
    } catch (RuntimeException defect) {
      LOG.error("{} failed inside the emulator", action, defect);
      KinesisError error = KinesisError.internalFailure();
      calls.add(to.call(at, action, error.type(), 0, format));
      return response(error(error), format, Optional.of(error), false);
    }
  }

  private static JsonNode parse(HttpServer.Request request, WireFormat format) {
    try {
      return format.parse(request.body());
    } catch (IOException e) {
      throw new KinesisError("SerializationException", 400, "the body is not " + format);
    }
  }

  private Answer perform(String action, Arguments arguments, boolean emptyPage) {
    return switch (action) {
      case "GetRecords" -> readActions.records(arguments, emptyPage);
      case "GetShardIterator" -> readActions.shardIterator(arguments);
      case "ListShards" -> shardActions.list(arguments);
      case "SplitShard" -> shardActions.split(arguments);
      case "MergeShards" -> shardActions.merge(arguments);
      case "DescribeStreamSummary" -> streamActions.describe(arguments);
      case "CreateStream" -> streamActions.create(arguments);
      case "DeleteStream" -> streamActions.delete(arguments);
      case "IncreaseStreamRetentionPeriod" -> streamActions.increaseRetention(arguments);
      case "DecreaseStreamRetentionPeriod" -> streamActions.decreaseRetention(arguments);
      case "PutRecord" -> writeActions.put(arguments);
      case "PutRecords" -> writeActions.putAll(arguments);
      default ->
          throw new KinesisError(
              "UnknownOperationException", 400, "the emulator does not know " + action);
    };
  }

  private static Answer error(KinesisError error) {
    return Answer.of(
        (json, format) -> {
          json.writeStringField("__type", error.type());
          json.writeStringField("message", error.getMessage());
        });
  }

  private HttpServer.Response response(
      Answer answer, WireFormat format, Optional<KinesisError> error, boolean cut) {
    Answer.Bytes bytes = answer.encode(format);
    Map<String, String> headers =
        Map.of(
            "Content-Type",
            format.contentType(),
            "Date",
            HTTP_DATE.format(clock.instant()),
            "x-amzn-RequestId",
            UUID.randomUUID().toString());
    return new HttpServer.Response(
        error.map(KinesisError::status).orElse(200), headers, bytes.array(), bytes.length(), cut);
  }
}
