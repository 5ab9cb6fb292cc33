package io.cutover.kinesis;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.kinesis.model.ExpiredIteratorException;
import software.amazon.awssdk.services.kinesis.model.ExpiredNextTokenException;
import software.amazon.awssdk.services.kinesis.model.InvalidArgumentException;
import software.amazon.awssdk.services.kinesis.model.KinesisException;
import software.amazon.awssdk.services.kinesis.model.KmsThrottlingException;
import software.amazon.awssdk.services.kinesis.model.LimitExceededException;
import software.amazon.awssdk.services.kinesis.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.kinesis.model.ResourceInUseException;
import software.amazon.awssdk.services.kinesis.model.ResourceNotFoundException;

/** What a failed call means for the caller. */
public enum KinesisFailure {
  /** The budget of the shard or account is used up: wait and call again. */
  THROTTLED,
  /** The iterator is older than five minutes: get another at the same position. */
  EXPIRED_ITERATOR,
  /** The listing's token is older than 300 s: the listing begins again. */
  EXPIRED_TOKEN,
  /** A 5xx answer, a broken connection, a timeout: call again for a while. */
  TRANSIENT,
  /** The stream or shard does not exist (any more). */
  NOT_FOUND,
  /** An argument is not taken: a position that has been trimmed, or never was. */
  INVALID,
  /** The credentials are wrong, expired or lack the right. */
  DENIED,
  /**
   * The stream is encrypted, and its KMS key cannot be used: no right to decrypt with it, or it is
   * disabled, being deleted or gone. Only a call that reads records meets it.
   */
  KEY_UNUSABLE,
  /** Nothing known: never retried, never ignored. */
  UNKNOWN;

  public static KinesisFailure of(Throwable thrown) {
    Throwable failure = unwrapped(thrown);
    if (failure instanceof ProvisionedThroughputExceededException
        || failure instanceof LimitExceededException
        || failure instanceof KmsThrottlingException) {
      return THROTTLED;
    }
    if (failure instanceof ExpiredIteratorException) {
      return EXPIRED_ITERATOR;
    }
    if (failure instanceof ExpiredNextTokenException) {
      return EXPIRED_TOKEN;
    }
    if (failure instanceof ResourceNotFoundException) {
      return NOT_FOUND;
    }
    if (failure instanceof InvalidArgumentException) {
      return INVALID;
    }
    if (failure instanceof ResourceInUseException) {
      return TRANSIENT;
    }
    if (failure instanceof KinesisException answer) {
      return ofAnswer(answer);
    }
    if (hasNoCredentials(failure)) {
      return DENIED;
    }
    return isConnection(failure) ? TRANSIENT : UNKNOWN;
  }

  private static KinesisFailure ofAnswer(KinesisException answer) {
    if (answer.isThrottlingException()) {
      return THROTTLED;
    }
    if (answer.statusCode() >= 500) {
      return TRANSIENT;
    }
    String code = answer.awsErrorDetails() == null ? "" : answer.awsErrorDetails().errorCode();
    // Of a 403 too: it is not the right on the stream that lacks.
    if (code.startsWith("KMS")) {
      return KEY_UNUSABLE;
    }
    boolean denied =
        answer.statusCode() == 403
            || code.startsWith("AccessDenied")
            || code.startsWith("UnrecognizedClient")
            || code.startsWith("InvalidSignature")
            || code.startsWith("ExpiredToken")
            || code.startsWith("MissingAuthenticationToken");
    return denied ? DENIED : UNKNOWN;
  }

  /** The SDK has no type of its own for it. */
  private static boolean hasNoCredentials(Throwable failure) {
    return failure instanceof SdkClientException
        && String.valueOf(failure.getMessage()).startsWith("Unable to load credentials");
  }

  private static boolean isConnection(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException || cause instanceof TimeoutException) {
        return true;
      }
    }
    // The SDK's own timeouts carry no cause and do not call themselves retryable.
    return failure instanceof ApiCallTimeoutException
        || failure instanceof ApiCallAttemptTimeoutException
        || (failure instanceof SdkClientException client && client.retryable());
  }

  static Throwable unwrapped(Throwable thrown) {
    Throwable failure = thrown;
    while (failure instanceof CompletionException && failure.getCause() != null) {
      failure = failure.getCause();
    }
    return failure;
  }
}
