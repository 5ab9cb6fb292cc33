package io.cutover.progress;

import java.io.PrintWriter;

/** Where a person sees how the copy stands. */
sealed interface ProgressView extends AutoCloseable permits ProgressLines, TerminalBar {

  /**
   * @param terminal whether what is printed is seen at once, and can be printed over
   */
  static ProgressView on(PrintWriter out, boolean terminal) {
    return terminal ? new TerminalBar(out) : new ProgressLines(out);
  }

  void show(Standing standing);

  @Override
  void close();
}
