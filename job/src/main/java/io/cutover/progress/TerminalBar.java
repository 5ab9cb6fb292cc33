package io.cutover.progress;

import java.io.PrintWriter;
import java.text.DecimalFormat;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import me.tongfei.progressbar.DefaultProgressBarRenderer;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import me.tongfei.progressbar.ProgressState;

/** A bar that is printed over again and again, as wide as the terminal. */
final class TerminalBar implements ProgressView {

  /** Steps of the bar from start to T: fine enough for the width of any terminal. */
  private static final long STEPS = 10_000;

  private static final int REDRAW_MILLIS = 500;

  private final PrintWriter out;
  private final ProgressBar bar;

  /** Drawn by a thread of the library's. */
  private volatile Optional<Standing> standing = Optional.empty();

  TerminalBar(PrintWriter out) {
    this(out, new DelegatingProgressBarConsumer(drawn -> print(out, drawn)));
  }

  TerminalBar(PrintWriter out, ProgressBarConsumer consumer) {
    this.out = out;
    this.bar =
        new ProgressBarBuilder()
            .setInitialMax(STEPS)
            .setUpdateIntervalMillis(REDRAW_MILLIS)
            .continuousUpdate()
            .setRenderer(new Renderer())
            .setConsumer(consumer)
            .build();
  }

  private static void print(PrintWriter out, String drawn) {
    out.print("\r" + drawn);
    out.flush();
  }

  @Override
  public void show(Standing now) {
    standing = Optional.of(now);
    bar.stepTo((long) (now.share() * STEPS));
    bar.setExtraMessage(now.beside());
  }

  @Override
  public void close() {
    bar.close();
    out.println();
    out.flush();
  }

  /** The library's, with shards for its unit and our time left for its own estimate. */
  private final class Renderer extends DefaultProgressBarRenderer {

    Renderer() {
      super(
          ProgressBarStyle.UNICODE_BLOCK,
          "",
          1,
          false,
          new DecimalFormat(),
          ChronoUnit.SECONDS,
          true,
          state -> Optional.empty());
    }

    @Override
    protected String ratio(ProgressState progress) {
      return standing.map(Standing::extent).orElse("");
    }

    @Override
    protected String etaString(ProgressState progress) {
      Optional<Duration> left = standing.flatMap(Standing::left);
      return left.map(Standing::clock).orElse("?") + " left";
    }
  }
}
