package io.cutover.kinesis;

import io.cutover.Reason;
import io.cutover.UsageException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.Protocol;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.kinesis.KinesisAsyncClient;

/** Builds the SDK client from the configuration. */
final class KinesisClients {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(60);

  private KinesisClients() {}

  /**
   * @param loops the client's threads, which are the caller's to end: the SDK's own would hold up
   *     every close, and so every restart of a task, for two quiet seconds
   */
  static KinesisAsyncClient create(
      ReadableConfig config, int concurrency, SdkEventLoopGroup loops) {
    var client =
        KinesisAsyncClient.builder()
            .httpClientBuilder(
                // HTTP/1.1: the service default, HTTP/2, is for subscriptions, and plain-text
                // servers do not speak it.
                NettyNioAsyncHttpClient.builder()
                    .eventLoopGroup(loops)
                    .protocol(Protocol.HTTP1_1)
                    .maxConcurrency(concurrency)
                    .maxPendingConnectionAcquires(10_000)
                    .connectionTimeout(CONNECT_TIMEOUT)
                    .connectionAcquisitionTimeout(CALL_TIMEOUT)
                    .readTimeout(CALL_TIMEOUT))
            .overrideConfiguration(
                ClientOverrideConfiguration.builder()
                    // The reader retries by itself: it knows which shard may wait for how long.
                    .retryStrategy(DefaultRetryStrategy.doNotRetry())
                    .apiCallTimeout(CALL_TIMEOUT)
                    .build())
            .credentialsProvider(credentials(config));
    region(config).ifPresent(client::region);
    config
        .getOptional(KinesisOptions.ENDPOINT)
        .ifPresent(url -> client.endpointOverride(URI.create(url)));
    return client.build();
  }

  private static Optional<Region> region(ReadableConfig config) {
    String stream = config.get(KinesisOptions.STREAM);
    Optional<String> ofArn =
        stream.startsWith("arn:") ? Optional.of(regionOfArn(stream)) : Optional.empty();
    return config.getOptional(KinesisOptions.REGION).or(() -> ofArn).map(Region::of);
  }

  private static String regionOfArn(String arn) {
    String[] parts = arn.split(":", -1);
    if (parts.length != 6 || parts[3].isEmpty() || !parts[5].startsWith("stream/")) {
      throw new UsageException(
          Reason.OPTION_VALUE,
          KinesisOptions.STREAM.key()
              + " is "
              + arn
              + ", but a stream's ARN reads arn:PARTITION:kinesis:REGION:ACCOUNT:stream/NAME");
    }
    return parts[3];
  }

  private static AwsCredentialsProvider credentials(ReadableConfig config) {
    return switch (config.get(KinesisOptions.CREDENTIALS_PROVIDER)) {
      case AUTO -> DefaultCredentialsProvider.builder().build();
      case BASIC ->
          StaticCredentialsProvider.create(
              AwsBasicCredentials.create(
                  required(config, KinesisOptions.ACCESS_KEY_ID),
                  required(config, KinesisOptions.SECRET_KEY)));
      case ENV_VAR -> EnvironmentVariableCredentialsProvider.create();
      case SYS_PROP -> SystemPropertyCredentialsProvider.create();
      case PROFILE -> ProfileCredentialsProvider.create();
      case WEB_IDENTITY_TOKEN -> WebIdentityTokenFileCredentialsProvider.create();
    };
  }

  private static String required(ReadableConfig config, ConfigOption<String> option) {
    return config
        .getOptional(option)
        .orElseThrow(
            () ->
                new UsageException(
                    Reason.OPTION_MISSING,
                    KinesisOptions.CREDENTIALS_PROVIDER.key()
                        + " is BASIC, so "
                        + option.key()
                        + " must be set"));
  }
}
