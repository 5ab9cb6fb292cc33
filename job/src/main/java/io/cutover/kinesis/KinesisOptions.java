package io.cutover.kinesis;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/**
 * Where the stream is and who asks. Names are the official Flink Kinesis connector's where equal.
 */
public final class KinesisOptions {

  /** Where the SDK finds the credentials. */
  public enum CredentialsProvider {
    /** The SDK's default chain: environment, system properties, profile, web identity, instance. */
    AUTO,
    /** {@code aws.credentials.basic.*} of this configuration. */
    BASIC,
    /** The AWS_* environment variables only. */
    ENV_VAR,
    /** The aws.* system properties only. */
    SYS_PROP,
    /** The default profile of the shared credentials file. */
    PROFILE,
    /** A web identity token, as the pods of a Kubernetes service account have it. */
    WEB_IDENTITY_TOKEN
  }

  public static final ConfigOption<String> STREAM =
      ConfigOptions.key("kinesis.stream")
          .stringType()
          .noDefaultValue()
          .withDescription("The stream to leave: its ARN or its name.");

  public static final ConfigOption<String> ENDPOINT =
      ConfigOptions.key("kinesis.endpoint")
          .stringType()
          .noDefaultValue()
          .withFallbackKeys("aws.endpoint")
          .withDescription(
              "URL of the Kinesis endpoint; without it, the region's own. Set it for a VPC endpoint"
                  + " or a local server.");

  public static final ConfigOption<String> REGION =
      ConfigOptions.key("aws.region")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "AWS region of the stream; without it, the one in the stream's ARN, else the SDK's"
                  + " default chain.");

  public static final ConfigOption<CredentialsProvider> CREDENTIALS_PROVIDER =
      ConfigOptions.key("aws.credentials.provider")
          .enumType(CredentialsProvider.class)
          .defaultValue(CredentialsProvider.AUTO)
          .withDescription("Where the AWS credentials come from.");

  public static final ConfigOption<String> ACCESS_KEY_ID =
      ConfigOptions.key("aws.credentials.basic.accesskeyid")
          .stringType()
          .noDefaultValue()
          .withDescription("Access key id, for the provider BASIC.");

  public static final ConfigOption<String> SECRET_KEY =
      ConfigOptions.key("aws.credentials.basic.secretkey")
          .stringType()
          .noDefaultValue()
          .withDescription("Secret access key, for the provider BASIC. Never logged.");

  private KinesisOptions() {}
}
