package io.cutover.kpl;

import static com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label.LABEL_OPTIONAL;
import static com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label.LABEL_REPEATED;
import static com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label.LABEL_REQUIRED;
import static com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type.TYPE_BYTES;
import static com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type.TYPE_MESSAGE;
import static com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type.TYPE_STRING;
import static com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type.TYPE_UINT64;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import io.cutover.kpl.Given.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What protobuf's own parser makes of a body, given the published schema without the tags, which
 * carry no record.
 */
final class ProtobufOracle {

  private static final Descriptor AGGREGATE = schema();

  private ProtobufOracle() {}

  /** The members. Fails if the body is none, or if an index points outside its table. */
  static List<Written> members(byte[] body) {
    DynamicMessage aggregate;
    try {
      aggregate = DynamicMessage.parseFrom(AGGREGATE, body);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError("protobuf cannot read what was unpacked", e);
    }
    List<?> partitionKeys = (List<?>) field(aggregate, 1);
    List<?> hashKeys = (List<?>) field(aggregate, 2);
    List<Written> members = new ArrayList<>();
    for (Object record : (List<?>) field(aggregate, 3)) {
      DynamicMessage member = (DynamicMessage) record;
      members.add(
          new Written(
              (String) partitionKeys.get(Math.toIntExact((Long) field(member, 1))),
              member.hasField(member.getDescriptorForType().findFieldByNumber(2))
                  ? Optional.of((String) hashKeys.get(Math.toIntExact((Long) field(member, 2))))
                  : Optional.empty(),
              ((ByteString) field(member, 3)).toByteArray()));
    }
    return members;
  }

  private static Object field(DynamicMessage message, int number) {
    return message.getField(message.getDescriptorForType().findFieldByNumber(number));
  }

  private static Descriptor schema() {
    DescriptorProto member =
        DescriptorProto.newBuilder()
            .setName("Record")
            .addField(field("partition_key_index", 1, LABEL_REQUIRED, TYPE_UINT64))
            .addField(field("explicit_hash_key_index", 2, LABEL_OPTIONAL, TYPE_UINT64))
            .addField(field("data", 3, LABEL_REQUIRED, TYPE_BYTES))
            .build();
    DescriptorProto aggregate =
        DescriptorProto.newBuilder()
            .setName("AggregatedRecord")
            .addField(field("partition_key_table", 1, LABEL_REPEATED, TYPE_STRING))
            .addField(field("explicit_hash_key_table", 2, LABEL_REPEATED, TYPE_STRING))
            .addField(field("records", 3, LABEL_REPEATED, TYPE_MESSAGE).setTypeName("Record"))
            .build();
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("aggregate.proto")
            .addMessageType(member)
            .addMessageType(aggregate)
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[0])
          .findMessageTypeByName("AggregatedRecord");
    } catch (DescriptorValidationException e) {
      throw new AssertionError(e);
    }
  }

  private static FieldDescriptorProto.Builder field(
      String name, int number, FieldDescriptorProto.Label label, FieldDescriptorProto.Type type) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setLabel(label)
        .setType(type);
  }
}
