package io.cutover.progress;

import java.io.PrintWriter;

/** A line for each look, for logs and pipes. */
final class ProgressLines implements ProgressView {

  private final PrintWriter out;

  ProgressLines(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void show(Standing standing) {
    out.println(standing.line());
    out.flush();
  }

  @Override
  public void close() {}
}
