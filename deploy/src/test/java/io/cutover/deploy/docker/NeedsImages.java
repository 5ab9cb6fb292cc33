package io.cutover.deploy.docker;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips a class, with the reason in its report, where no Docker engine answers or a stock image
 * cannot be had. An image that was asked for and cannot be had fails it instead.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsImages.Condition.class)
@interface NeedsImages {

  NeededImage[] value();

  /** A failed assumption before all tests would leave no trace in the report. */
  final class Condition implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      NeedsImages needs = context.getRequiredTestClass().getAnnotation(NeedsImages.class);
      if (!Engine.answers()) {
        return ConditionEvaluationResult.disabled(Engine.ABSENT);
      }
      return Stream.of(needs.value())
          .flatMap(image -> image.whyNone().stream())
          .findFirst()
          .map(ConditionEvaluationResult::disabled)
          .orElse(ConditionEvaluationResult.enabled("the images can be had"));
    }
  }
}
