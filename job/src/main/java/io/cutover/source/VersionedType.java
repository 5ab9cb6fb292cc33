package io.cutover.source;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.io.SimpleVersionedSerializerTypeSerializerProxy;
import org.apache.flink.util.function.SerializableSupplier;

/**
 * Flink's description of values that a versioned serializer of ours writes. They are immutable, so
 * nothing is copied.
 */
public final class VersionedType<T> extends TypeInformation<T> {

  private static final long serialVersionUID = 1L;

  private final Class<T> type;
  private final SerializableSupplier<SimpleVersionedSerializer<T>> serializer;

  public VersionedType(
      Class<T> type, SerializableSupplier<SimpleVersionedSerializer<T>> serializer) {
    this.type = type;
    this.serializer = serializer;
  }

  /** Of what the source emits. */
  public static VersionedType<LineageOutput> ofLineageOutput() {
    return new VersionedType<>(LineageOutput.class, LineageOutputSerializer::new);
  }

  /** For whoever keeps the source's output in its own state. */
  public static SimpleVersionedSerializer<LineageOutput> lineageOutputSerializer() {
    return new LineageOutputSerializer();
  }

  @Override
  public TypeSerializer<T> createSerializer(SerializerConfig config) {
    return new Immutable<>(serializer);
  }

  private static final class Immutable<T> extends SimpleVersionedSerializerTypeSerializerProxy<T> {

    private static final long serialVersionUID = 1L;

    Immutable(SerializableSupplier<SimpleVersionedSerializer<T>> serializer) {
      super(serializer);
    }

    @Override
    public T copy(T from) {
      return from;
    }

    @Override
    public T copy(T from, T reuse) {
      return from;
    }
  }

  @Override
  public boolean isBasicType() {
    return false;
  }

  @Override
  public boolean isTupleType() {
    return false;
  }

  @Override
  public int getArity() {
    return 1;
  }

  @Override
  public int getTotalFields() {
    return 1;
  }

  @Override
  public Class<T> getTypeClass() {
    return type;
  }

  @Override
  public boolean isKeyType() {
    return false;
  }

  @Override
  public String toString() {
    return type.getSimpleName();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof VersionedType<?> that && type.equals(that.type);
  }

  @Override
  public int hashCode() {
    return type.hashCode();
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof VersionedType;
  }
}
