package io.cutover.deploy.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.util.Map;

/**
 * Reads resources into fabric8's and Strimzi's types as an API server would with strict field
 * validation. By themselves those types keep what they do not know, and take a number for a text.
 */
public final class StrictTypes {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .withCoercionConfig(
              LogicalType.Textual,
              text ->
                  text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
          .annotationIntrospector(new NothingElse())
          .build();

  private static final Map<String, Class<?>> BUILT_IN =
      Map.of(
          "v1 Namespace", Namespace.class,
          "v1 ServiceAccount", ServiceAccount.class,
          "v1 ConfigMap", ConfigMap.class,
          "rbac.authorization.k8s.io/v1 Role", Role.class,
          "rbac.authorization.k8s.io/v1 RoleBinding", RoleBinding.class,
          "networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class,
          "batch/v1 Job", Job.class,
          "batch/v1 CronJob", CronJob.class);

  private StrictTypes() {}

  private static final class NothingElse extends JacksonAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    @Override
    public Boolean hasAnySetter(Annotated setter) {
      return false;
    }
  }

  static boolean isBuiltIn(JsonNode resource) {
    return BUILT_IN.containsKey(kind(resource));
  }

  private static String kind(JsonNode resource) {
    return resource.path("apiVersion").asText() + " " + resource.path("kind").asText();
  }

  /**
   * Reads a resource of Kubernetes' own.
   *
   * @throws JsonProcessingException when it has a field that its type has not, or one of another
   *     type
   */
  static Object builtIn(JsonNode resource) throws JsonProcessingException {
    return read(resource, BUILT_IN.get(kind(resource)));
  }

  /**
   * @throws JsonProcessingException when there is a field that the type has not, or one of another
   *     type
   */
  public static <T> T read(JsonNode json, Class<T> as) throws JsonProcessingException {
    return JSON.treeToValue(json, as);
  }
}
