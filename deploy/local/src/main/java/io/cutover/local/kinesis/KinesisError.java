package io.cutover.local.kinesis;

/** An error answer as AWS gives it: a type that the SDK turns into an exception, and a status. */
final class KinesisError extends RuntimeException {

  private final String type;
  private final int status;

  KinesisError(String type, int status, String message) {
    super(message, null, false, false);
    this.type = type;
    this.status = status;
  }

  String type() {
    return type;
  }

  int status() {
    return status;
  }

  static KinesisError invalidArgument(String message) {
    return new KinesisError("InvalidArgumentException", 400, message);
  }

  static KinesisError validation(String message) {
    return new KinesisError("ValidationException", 400, message);
  }

  static KinesisError notFound(String message) {
    return new KinesisError("ResourceNotFoundException", 400, message);
  }

  static KinesisError inUse(String message) {
    return new KinesisError("ResourceInUseException", 400, message);
  }

  static KinesisError throttled(String message) {
    return new KinesisError("ProvisionedThroughputExceededException", 400, message);
  }

  static KinesisError expiredIterator(String message) {
    return new KinesisError("ExpiredIteratorException", 400, message);
  }

  static KinesisError expiredNextToken(String message) {
    return new KinesisError("ExpiredNextTokenException", 400, message);
  }

  static KinesisError internalFailure() {
    return new KinesisError("InternalFailure", 500, "the server failed inside");
  }
}
