package io.cutover.local.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.local.stack.AggregateReader.Member;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KplAggregateTest {

  @Test
  void membersComeBackInOrderWithKeysOfTheirOwn() throws Exception {
    BigInteger highest = BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE);
    String large = "x".repeat(70_000);
    KplAggregate aggregate =
        new KplAggregate()
            .add("one", bytes("first"))
            .add("zwölf", Optional.of(highest), bytes(""))
            .add("one", Optional.of(BigInteger.ZERO), bytes(large))
            .add("one", bytes("last"));

    assertThat(aggregate.size()).isEqualTo(4);
    assertThat(AggregateReader.members(aggregate.encode()))
        .containsExactly(
            new Member("one", Optional.empty(), "first"),
            new Member("zwölf", Optional.of("340282366920938463463374607431768211455"), ""),
            new Member("one", Optional.of("0"), large),
            new Member("one", Optional.empty(), "last"));
  }

  @Test
  void theBytesAreThoseOfTheFormat() {
    byte[] encoded = new KplAggregate().add("k", bytes("v")).encode();

    assertThat(HexFormat.of().formatHex(encoded))
        .startsWith("f3899ac2" + "0a016b" + "1a05" + "0800" + "1a0176")
        .hasSize(2 * (4 + 3 + 7 + 16));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
