package io.cutover.kinesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutover.UsageException;
import io.cutover.kinesis.KinesisOptions.CredentialsProvider;
import java.net.URI;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.kinesis.KinesisAsyncClient;
import software.amazon.awssdk.services.kinesis.KinesisServiceClientConfiguration;

class KinesisClientsTest {

  private static final String ARN = "arn:aws:kinesis:eu-west-1:123456789012:stream/orders";

  private static final SdkEventLoopGroup LOOPS =
      SdkEventLoopGroup.builder().numberOfThreads(1).build();

  private final Configuration config = new Configuration();

  KinesisClientsTest() {
    config.set(KinesisOptions.STREAM, ARN);
    config.set(KinesisOptions.CREDENTIALS_PROVIDER, CredentialsProvider.BASIC);
    config.set(KinesisOptions.ACCESS_KEY_ID, "AKIDEXAMPLE");
    config.set(KinesisOptions.SECRET_KEY, "s3cr3t");
  }

  @AfterAll
  static void close() {
    LOOPS.eventLoopGroup().shutdownGracefully();
  }

  private KinesisServiceClientConfiguration settings() {
    try (KinesisAsyncClient client = KinesisClients.create(config, 1, LOOPS)) {
      return client.serviceClientConfiguration();
    }
  }

  @Test
  void regionIsTheArns() {
    assertThat(settings().region()).isEqualTo(Region.EU_WEST_1);
  }

  @Test
  void regionThatIsSetPrecedesTheArns() {
    config.set(KinesisOptions.REGION, "ap-south-1");
    assertThat(settings().region()).isEqualTo(Region.AP_SOUTH_1);
  }

  @Test
  void endpointIsTheOneThatIsSet() {
    config.set(KinesisOptions.ENDPOINT, "http://127.0.0.1:4567");
    assertThat(settings().endpointOverride()).contains(URI.create("http://127.0.0.1:4567"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "arn:aws",
        "arn:aws:kinesis::123456789012:stream/orders",
        "arn:aws:kinesis:eu-west-1:123456789012:orders",
        "arn:aws:kinesis:eu-west-1:123456789012:stream/orders:more"
      })
  void arnThatIsNoStreamsIsRefused(String arn) {
    config.set(KinesisOptions.STREAM, arn);
    assertThatThrownBy(() -> KinesisClients.create(config, 1, LOOPS))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("kinesis.stream")
        .hasMessageContaining(arn)
        .hasMessageContaining("stream/NAME");
  }

  @Test
  void basicCredentialsAreTheConfigurations() {
    IdentityProvider<? extends AwsCredentialsIdentity> provider = settings().credentialsProvider();
    AwsCredentialsIdentity identity = provider.resolveIdentity().join();
    assertThat(identity.accessKeyId()).isEqualTo("AKIDEXAMPLE");
    assertThat(identity.secretAccessKey()).isEqualTo("s3cr3t");
  }

  @Test
  void basicCredentialsMustBeThereAndAreNeverPrinted() {
    config.removeConfig(KinesisOptions.ACCESS_KEY_ID);
    assertThatThrownBy(() -> KinesisClients.create(config, 1, LOOPS))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("aws.credentials.provider is BASIC")
        .hasMessageContaining("aws.credentials.basic.accesskeyid")
        .hasMessageNotContaining("s3cr3t");
    config.set(KinesisOptions.ACCESS_KEY_ID, "AKIDEXAMPLE");
    config.removeConfig(KinesisOptions.SECRET_KEY);
    assertThatThrownBy(() -> KinesisClients.create(config, 1, LOOPS))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("aws.credentials.basic.secretkey");
  }

  /** Nothing is resolved until the first call. */
  @ParameterizedTest
  @EnumSource(
      value = CredentialsProvider.class,
      names = {"BASIC"},
      mode = Mode.EXCLUDE)
  void otherProvidersNeedNothingOfTheConfiguration(CredentialsProvider provider) {
    config.removeConfig(KinesisOptions.ACCESS_KEY_ID);
    config.removeConfig(KinesisOptions.SECRET_KEY);
    config.set(KinesisOptions.CREDENTIALS_PROVIDER, provider);
    assertThat(settings().region()).isEqualTo(Region.EU_WEST_1);
  }
}
