package io.cutover.source;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.io.SimpleVersionedSerializerTypeSerializerProxy;

/** Flink's description of the source's output. The values are immutable, so nothing is copied. */
public final class LineageOutputType extends TypeInformation<LineageOutput> {

  private static final long serialVersionUID = 1L;

  /** For whoever keeps outputs in its own state. */
  public static SimpleVersionedSerializer<LineageOutput> serializer() {
    return new LineageOutputSerializer();
  }

  @Override
  public TypeSerializer<LineageOutput> createSerializer(SerializerConfig config) {
    return new Immutable();
  }

  private static final class Immutable
      extends SimpleVersionedSerializerTypeSerializerProxy<LineageOutput> {

    private static final long serialVersionUID = 1L;

    Immutable() {
      super(LineageOutputSerializer::new);
    }

    @Override
    public LineageOutput copy(LineageOutput from) {
      return from;
    }

    @Override
    public LineageOutput copy(LineageOutput from, LineageOutput reuse) {
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
  public Class<LineageOutput> getTypeClass() {
    return LineageOutput.class;
  }

  @Override
  public boolean isKeyType() {
    return false;
  }

  @Override
  public String toString() {
    return "LineageOutput";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LineageOutputType;
  }

  @Override
  public int hashCode() {
    return LineageOutputType.class.hashCode();
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof LineageOutputType;
  }
}
