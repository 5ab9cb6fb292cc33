package io.cutover.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import org.junit.jupiter.api.Test;

class TerminalBarTest {

  private static final CopyStanding HALF =
      new CopyStanding(
          0.5,
          3,
          8,
          OptionalDouble.of(12_345),
          OptionalDouble.of(10_200_000),
          Optional.of(Duration.ofSeconds(610)),
          new Expiry.In(Duration.ofMinutes(1890)),
          0);

  private final List<String> drawn = new CopyOnWriteArrayList<>();
  private final StringWriter out = new StringWriter();

  private String last(int width, Standing standing) {
    try (TerminalBar bar =
        new TerminalBar(
            new PrintWriter(out), new DelegatingProgressBarConsumer(drawn::add, width))) {
      bar.show(standing);
    }
    return drawn.get(drawn.size() - 1);
  }

  @Test
  void barShowsShareShardsTimeLeftRatesAndExpiry() {
    assertThat(last(120, HALF))
        .hasSizeLessThanOrEqualTo(120)
        .contains(" 50% |█")
        .contains("| 3/8 shards (")
        .contains(" / 0:10:10 left) ")
        .endsWith("12,345/s 10.2 MB/s, expires in 31.5 h");
  }

  @Test
  void barFitsANarrowTerminal() {
    assertThat(last(80, HALF)).hasSizeLessThanOrEqualTo(80).contains("3/8 shards");
  }

  @Test
  void barIsFollowedByALineEnd() {
    last(80, HALF);
    assertThat(out.toString()).isEqualTo(System.lineSeparator());
  }
}
