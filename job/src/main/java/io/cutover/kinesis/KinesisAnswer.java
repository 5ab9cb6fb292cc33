package io.cutover.kinesis;

import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.UsageException;
import java.util.function.Function;
import org.apache.flink.configuration.ReadableConfig;

/** A few quick questions to a stream, with what went wrong said for a person. */
public final class KinesisAnswer {

  private static final int CONCURRENCY = 32;

  private KinesisAnswer() {}

  /** What DescribeStreamSummary says. */
  public static StreamDescription describe(ReadableConfig config) {
    return of(config, "described", KinesisStream::describe);
  }

  /**
   * The answer to questions that are asked one after the other.
   *
   * @param done what was to be done with the stream, for the message: described, listed, ...
   * @throws UsageException when the configuration makes no client
   * @throws Refusal when there is no such stream, it is denied, or nobody answers
   */
  public static <T> T of(ReadableConfig config, String done, Function<KinesisStream, T> questions) {
    try (KinesisStream stream = new KinesisStream(config, CONCURRENCY)) {
      return questions.apply(stream);
    } catch (Refusal | UsageException said) {
      throw said;
    } catch (RuntimeException e) {
      throw refusal(config, done, e);
    }
  }

  private static Refusal refusal(ReadableConfig config, String done, RuntimeException cause) {
    KinesisFailure failure = KinesisFailure.of(cause);
    String what =
        "stream "
            + config.get(KinesisOptions.STREAM)
            + config.getOptional(KinesisOptions.ENDPOINT).map(url -> " at " + url).orElse("")
            + " could not be "
            + done
            + ": "
            + cause.getMessage();
    return switch (failure) {
      case NOT_FOUND ->
          new Refusal(
              Reason.STREAM_MISSING,
              what
                  + ". Check "
                  + KinesisOptions.STREAM.key()
                  + ", the region and the account of the credentials",
              cause);
      case DENIED ->
          new Refusal(
              Reason.KINESIS_DENIED,
              what
                  + ". Check "
                  + KinesisOptions.CREDENTIALS_PROVIDER.key()
                  + " and the principal's rights (kinesis:DescribeStreamSummary, ListShards,"
                  + " GetShardIterator, GetRecords)",
              cause);
      case KEY_UNUSABLE ->
          new Refusal(
              Reason.KINESIS_DENIED,
              what
                  + ". The stream is encrypted, and these credentials cannot use its key: allow"
                  + " kms:Decrypt on the stream's KMS key, in the principal's policy and in the"
                  + " key's, and see to it that the key is enabled and is not being deleted",
              cause);
      default ->
          new Refusal(
              Reason.KINESIS_UNREACHABLE,
              what
                  + ". Check "
                  + KinesisOptions.ENDPOINT.key()
                  + " or "
                  + KinesisOptions.REGION.key()
                  + ", and the network between",
              cause);
    };
  }
}
