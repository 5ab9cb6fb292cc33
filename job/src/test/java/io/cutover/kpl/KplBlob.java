package io.cutover.kpl;

import java.util.List;
import java.util.Optional;

/** KPL aggregates for tests of other packages. */
public final class KplBlob {

  /** One user record inside an aggregate. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Member(String partitionKey, Optional<String> explicitHashKey, byte[] data) {}

  private KplBlob() {}

  /** The aggregate's bytes as KPL lays them out. */
  public static byte[] of(List<Member> members) {
    return Aggregates.blob(
        members.stream()
            .map(m -> new Given.Written(m.partitionKey(), m.explicitHashKey(), m.data()))
            .toList(),
        Aggregates.Layout.SHARED_TABLES);
  }
}
