package io.cutover.kinesis;

import static io.cutover.kinesis.KinesisFailure.DENIED;
import static io.cutover.kinesis.KinesisFailure.EXPIRED_ITERATOR;
import static io.cutover.kinesis.KinesisFailure.EXPIRED_TOKEN;
import static io.cutover.kinesis.KinesisFailure.INVALID;
import static io.cutover.kinesis.KinesisFailure.KEY_UNUSABLE;
import static io.cutover.kinesis.KinesisFailure.NOT_FOUND;
import static io.cutover.kinesis.KinesisFailure.THROTTLED;
import static io.cutover.kinesis.KinesisFailure.TRANSIENT;
import static io.cutover.kinesis.KinesisFailure.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.Crc32MismatchException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.kinesis.model.ExpiredIteratorException;
import software.amazon.awssdk.services.kinesis.model.ExpiredNextTokenException;
import software.amazon.awssdk.services.kinesis.model.InvalidArgumentException;
import software.amazon.awssdk.services.kinesis.model.KinesisException;
import software.amazon.awssdk.services.kinesis.model.KmsAccessDeniedException;
import software.amazon.awssdk.services.kinesis.model.KmsThrottlingException;
import software.amazon.awssdk.services.kinesis.model.LimitExceededException;
import software.amazon.awssdk.services.kinesis.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.kinesis.model.ResourceInUseException;
import software.amazon.awssdk.services.kinesis.model.ResourceNotFoundException;

class KinesisFailureTest {

  private static void assertMeans(KinesisFailure meaning, Throwable thrown) {
    assertThat(KinesisFailure.of(thrown)).isEqualTo(meaning);
    assertThat(KinesisFailure.of(new CompletionException(new CompletionException(thrown))))
        .isEqualTo(meaning);
  }

  private static Throwable answer(int status, String code) {
    return KinesisException.builder()
        .statusCode(status)
        .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
        .build();
  }

  @Test
  void usedUpBudgetsAreThrottling() {
    assertMeans(THROTTLED, ProvisionedThroughputExceededException.builder().build());
    assertMeans(THROTTLED, LimitExceededException.builder().build());
    assertMeans(THROTTLED, KmsThrottlingException.builder().build());
    assertMeans(THROTTLED, answer(400, "ThrottlingException"));
    assertMeans(THROTTLED, answer(429, "TooManyRequests"));
    // AWS's front answers so before the service sees the call.
    assertMeans(THROTTLED, answer(503, "Throttling"));
  }

  @Test
  void expiredIterator() {
    assertMeans(EXPIRED_ITERATOR, ExpiredIteratorException.builder().build());
  }

  @Test
  void expiredToken() {
    assertMeans(EXPIRED_TOKEN, ExpiredNextTokenException.builder().build());
  }

  @Test
  void missingStreamOrShard() {
    assertMeans(NOT_FOUND, ResourceNotFoundException.builder().statusCode(400).build());
  }

  @Test
  void argumentThatIsNotTaken() {
    assertMeans(INVALID, InvalidArgumentException.builder().statusCode(400).build());
  }

  @Test
  void serverErrorsAreTransient() {
    assertMeans(TRANSIENT, answer(500, "InternalFailure"));
    assertMeans(TRANSIENT, answer(503, "ServiceUnavailable"));
    assertMeans(TRANSIENT, KinesisException.builder().statusCode(502).build());
    assertMeans(TRANSIENT, ResourceInUseException.builder().statusCode(400).build());
  }

  @Test
  void brokenConnectionsAreTransient() {
    assertMeans(TRANSIENT, new IOException("connection reset"));
    assertMeans(
        TRANSIENT, SdkClientException.create("unable to execute", new IOException("closed")));
    assertMeans(
        TRANSIENT,
        SdkClientException.create(
            "acquire", new RuntimeException(new TimeoutException("acquisition"))));
    assertMeans(TRANSIENT, Crc32MismatchException.create("mismatch", new RuntimeException()));
  }

  @Test
  void timeoutsOfACallAreTransient() {
    assertMeans(TRANSIENT, ApiCallTimeoutException.create(60_000));
    assertMeans(TRANSIENT, ApiCallAttemptTimeoutException.create(60_000));
  }

  @Test
  void rightsAndCredentialsAreDenied() {
    for (String code :
        List.of(
            "AccessDeniedException",
            "UnrecognizedClientException",
            "InvalidSignatureException",
            "ExpiredTokenException",
            "MissingAuthenticationTokenException")) {
      assertMeans(DENIED, answer(400, code));
    }
    assertMeans(DENIED, answer(403, "Whatever"));
  }

  @Test
  void keyOfAnEncryptedStreamThatCannotBeUsed() {
    for (String code :
        List.of(
            "KMSAccessDeniedException",
            "KMSDisabledException",
            "KMSInvalidStateException",
            "KMSNotFoundException",
            "KMSOptInRequired")) {
      assertMeans(KEY_UNUSABLE, answer(400, code));
    }
    assertMeans(KEY_UNUSABLE, answer(403, "KMSAccessDeniedException"));
    assertMeans(
        KEY_UNUSABLE,
        KmsAccessDeniedException.builder()
            .statusCode(400)
            .awsErrorDetails(
                AwsErrorDetails.builder().errorCode("KMSAccessDeniedException").build())
            .build());
  }

  @Test
  void everythingElseIsUnknown() {
    assertMeans(UNKNOWN, answer(400, "SomethingNew"));
    assertMeans(UNKNOWN, KinesisException.builder().statusCode(400).build());
    assertMeans(UNKNOWN, SdkClientException.create("no credentials"));
    assertMeans(UNKNOWN, new IllegalStateException("a fault of ours"));
    assertMeans(UNKNOWN, new Refusal(io.cutover.Reason.KINESIS_PROXY, "no Date header"));
  }
}
