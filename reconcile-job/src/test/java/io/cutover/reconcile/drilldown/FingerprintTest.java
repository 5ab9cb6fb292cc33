package io.cutover.reconcile.drilldown;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FingerprintTest {

  private final Fingerprint.Maker maker = new Fingerprint.Maker();

  @Test
  void absentIsNotEmpty() {
    assertThat(maker.of(Optional.empty())).isNotEqualTo(maker.of(Optional.of(new byte[0])));
    assertThat(maker.of(Optional.empty())).isEqualTo(maker.of(Optional.empty()));
  }

  @Test
  void itIsTheFirstHalfOfSha256() {
    // e3b0c44298fc1c149afbf4c8996fb924 27ae41e4649b934ca495991b7852b855
    assertThat(maker.of(Optional.of(new byte[0])))
        .isEqualTo(new Fingerprint(true, 0xe3b0c44298fc1c14L, 0x9afbf4c8996fb924L));
  }

  @Property
  void oneBitTellsApartWhateverWasTakenBefore(
      @ForAll @Size(min = 1, max = 50) byte[] bytes,
      @ForAll @IntRange(max = 49) int at,
      @ForAll @IntRange(max = 7) int bit) {
    byte[] other = Arrays.copyOf(bytes, bytes.length);
    other[at % other.length] ^= (byte) (1 << bit);
    Fingerprint print = maker.of(Optional.of(bytes));
    assertThat(maker.of(Optional.of(other))).isNotEqualTo(print);
    assertThat(maker.of(Optional.of(bytes))).isEqualTo(print);
  }
}
