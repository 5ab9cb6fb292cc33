package io.cutover.reconcile.telling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WordsTest {

  @Test
  void bytesHaveTheLargestUnitThatLeavesANumberBelowAThousand() {
    assertThat(Words.bytes(0)).isEqualTo("0 B");
    assertThat(Words.bytes(999)).isEqualTo("999 B");
    assertThat(Words.bytes(1000)).isEqualTo("1.0 kB");
    assertThat(Words.bytes(999_960)).isEqualTo("1.0 MB");
    assertThat(Words.bytes(Long.MAX_VALUE)).isEqualTo("9.2 EB");
  }

  @Test
  void numbersOfAnAxisAreBrief() {
    assertThat(Words.brief(5000)).isEqualTo("5,000");
    assertThat(Words.brief(10_000)).isEqualTo("10k");
    assertThat(Words.brief(2_500_000)).isEqualTo("2.5M");
  }

  @Test
  void durationsLeaveOutWhatIsNothing() {
    assertThat(Words.duration(Duration.ZERO)).isEqualTo("0.0 s");
    assertThat(Words.duration(Duration.ofMillis(12_340))).isEqualTo("12.3 s");
    assertThat(Words.duration(Duration.ofHours(1))).isEqualTo("1 h");
    assertThat(Words.duration(Duration.ofSeconds(90_061))).isEqualTo("1 d 1 h 1 min 1 s");
  }

  @Test
  void instantsHaveNoMoreDigitsThanTheyNeed() {
    assertThat(Words.instant(Instant.parse("2026-11-30T00:00:00Z"))).isEqualTo("2026-11-30 00:00");
    assertThat(Words.instant(Instant.parse("2026-11-30T10:00:10.5Z")))
        .isEqualTo("2026-11-30 10:00:10.500");
  }

  @Test
  void whatMovesTheCursorOrReordersIsSpelledOut() {
    assertThat(Words.visible("a\nb\tc")).isEqualTo("a b c");
    assertThat(Words.visible("\u001B[31m \u202E \u0000")).isEqualTo("\\u001B[31m \\u202E \\u0000");
    assertThat(Words.visible("\u05E9 \uD83D\uDE00 \uD83D"))
        .isEqualTo("\u05E9 \uD83D\uDE00 \\uD83D");
  }
}
