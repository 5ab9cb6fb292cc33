package io.cutover.local.kinesis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What shall go wrong, per action and shard.
 *
 * <pre>{@code
 * faults().on("GetRecords").shard("shardId-000000000001").times(3).throttle();
 * faults().on("GetRecords").delay(Duration.ofMillis(50));
 * }</pre>
 *
 * The delays of all rules that match add up; of the others the first that matches counts, in the
 * order in which they were made.
 */
public final class Faults {

  private sealed interface Effect {
    record Delay(Duration by) implements Effect {}

    record Refuse(String type, int status) implements Effect {}

    record Cut() implements Effect {}

    record EmptyPage() implements Effect {}
  }

  /** What a call has to suffer. */
  record Verdict(Duration delay, Optional<KinesisError> refusal, boolean cut, boolean emptyPage) {}

  private final List<Fault> faults = new CopyOnWriteArrayList<>();

  Faults() {}

  /** Begins a rule for an action; {@code "*"} stands for every action. */
  public Rule on(String action) {
    if (!action.equals("*") && !KinesisEmulator.ACTIONS.contains(action)) {
      throw new IllegalArgumentException(
          "a fault strikes one of " + KinesisEmulator.ACTIONS + " or *, but not " + action);
    }
    return new Rule(action);
  }

  /** Nothing goes wrong any more. */
  public void clear() {
    faults.clear();
  }

  Verdict judge(String action, Optional<String> stream, Optional<String> shardId) {
    Duration delay = Duration.ZERO;
    Optional<Effect> other = Optional.empty();
    for (Fault fault : faults) {
      boolean delays = fault.effect instanceof Effect.Delay;
      if ((delays || other.isEmpty()) && fault.strikes(action, stream, shardId)) {
        if (fault.effect instanceof Effect.Delay by) {
          delay = delay.plus(by.by());
        } else {
          other = Optional.of(fault.effect);
        }
      }
    }
    return new Verdict(
        delay,
        other
            .filter(Effect.Refuse.class::isInstance)
            .map(Effect.Refuse.class::cast)
            .map(r -> new KinesisError(r.type(), r.status(), "a fault that the test asked for")),
        other.filter(Effect.Cut.class::isInstance).isPresent(),
        other.filter(Effect.EmptyPage.class::isInstance).isPresent());
  }

  /** Which calls are struck. Without narrowing: each call of the action, without end. */
  public final class Rule {
    private final String action;
    private Optional<String> stream = Optional.empty();
    private Optional<String> shardId = Optional.empty();
    private long after;
    private long times = Long.MAX_VALUE;

    private Rule(String action) {
      this.action = action;
    }

    public Rule stream(String name) {
      stream = Optional.of(name);
      return this;
    }

    public Rule shard(String id) {
      shardId = Optional.of(id);
      return this;
    }

    /** Lets this many matching calls pass first. */
    public Rule after(long calls) {
      after = calls;
      return this;
    }

    /** Strikes this many matching calls, then no more. */
    public Rule times(long calls) {
      times = calls;
      return this;
    }

    /** ProvisionedThroughputExceededException. */
    public Fault throttle() {
      return refuse("ProvisionedThroughputExceededException", 400);
    }

    /** InternalFailure with status 500. */
    public Fault internalFailure() {
      return refuse("InternalFailure", 500);
    }

    /** ServiceUnavailable with status 503. */
    public Fault unavailable503() {
      return refuse("ServiceUnavailable", 503);
    }

    /** ExpiredIteratorException. */
    public Fault expiredIterator() {
      return refuse("ExpiredIteratorException", 400);
    }

    /** ExpiredNextTokenException. */
    public Fault expiredNextToken() {
      return refuse("ExpiredNextTokenException", 400);
    }

    /** ResourceNotFoundException. */
    public Fault notFound() {
      return refuse("ResourceNotFoundException", 400);
    }

    /** LimitExceededException: how ListShards and DescribeStreamSummary are throttled. */
    public Fault limitExceeded() {
      return refuse("LimitExceededException", 400);
    }

    /** Any error type with any status. */
    public Fault refuse(String type, int status) {
      return add(new Effect.Refuse(type, status));
    }

    /** The answer is given this much later; other calls are not held up. */
    public Fault delay(Duration by) {
      return add(new Effect.Delay(by));
    }

    /** The connection is closed in the middle of the answer's body. */
    public Fault cutConnection() {
      return add(new Effect.Cut());
    }

    /** GetRecords answers no record, stays where it is, and says that it is behind. */
    public Fault emptyPage() {
      return add(new Effect.EmptyPage());
    }

    private Fault add(Effect effect) {
      Fault fault = new Fault(action, stream, shardId, after, times, effect);
      faults.add(fault);
      return fault;
    }
  }

  /** A rule in force. */
  public final class Fault {
    private final String action;
    private final Optional<String> stream;
    private final Optional<String> shardId;
    private final long after;
    private final long times;
    private final Effect effect;
    private final AtomicLong matched = new AtomicLong();

    private Fault(
        String action,
        Optional<String> stream,
        Optional<String> shardId,
        long after,
        long times,
        Effect effect) {
      this.action = action;
      this.stream = stream;
      this.shardId = shardId;
      this.after = after;
      this.times = times;
      this.effect = effect;
    }

    /** How many calls it has struck. */
    public long hits() {
      return Math.min(Math.max(matched.get() - after, 0), times);
    }

    /** Takes the rule back. */
    public void remove() {
      faults.remove(this);
    }

    private boolean strikes(String calledAction, Optional<String> in, Optional<String> on) {
      if (!(action.equals("*") || action.equals(calledAction))
          || !(stream.isEmpty() || stream.equals(in))
          || !(shardId.isEmpty() || shardId.equals(on))) {
        return false;
      }
      long nth = matched.getAndIncrement();
      return nth >= after && nth - after < times;
    }
  }
}
