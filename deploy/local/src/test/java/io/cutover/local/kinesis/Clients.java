package io.cutover.local.kinesis;

import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.kinesis.KinesisClient;

/** Unmodified SDK clients, as the jobs would make them. */
final class Clients {

  private Clients() {}

  /** A client that shows every error instead of trying again. */
  static KinesisClient client(URI endpoint, WireFormat format) {
    // The SDK reads the protocol when the client is built, and only from here.
    System.setProperty(
        SdkSystemSetting.CBOR_ENABLED.property(), Boolean.toString(format == WireFormat.CBOR));
    try {
      return KinesisClient.builder()
          .endpointOverride(endpoint)
          .region(Region.US_EAST_1)
          .credentialsProvider(
              StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
          .httpClient(UrlConnectionHttpClient.create())
          .overrideConfiguration(o -> o.retryStrategy(DefaultRetryStrategy.doNotRetry()))
          .build();
    } finally {
      System.clearProperty(SdkSystemSetting.CBOR_ENABLED.property());
    }
  }
}
