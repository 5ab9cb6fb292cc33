package io.cutover.reconcile.telling;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A table of a page, which scrolls in its own box where it is too wide. It has a caption, a header
 * for each column, and in each row the first cell as its header.
 */
final class HtmlTable<T> {

  /** So many rows are shown; the caller says where all of them are. */
  static final int ROWS = 200;

  private record Column<T>(String header, String type, Function<T, String> cell) {}

  private final String caption;
  private final List<Column<T>> columns = new ArrayList<>();

  HtmlTable(String caption) {
    this.caption = caption;
  }

  HtmlTable<T> text(String header, Function<T, String> cell) {
    columns.add(new Column<>(header, "", cell));
    return this;
  }

  HtmlTable<T> number(String header, Function<T, Long> cell) {
    columns.add(new Column<>(header, "number", cell.andThen(Words::number)));
    return this;
  }

  /** A short text, which stays in one line. */
  HtmlTable<T> line(String header, Function<T, String> cell) {
    columns.add(new Column<>(header, "line", cell));
    return this;
  }

  HtmlTable<T> time(String header, Function<T, Instant> cell) {
    return line(header, cell.andThen(Words::instant));
  }

  /**
   * The table with the first rows, and below it how many more there are.
   *
   * @param all where all of them can be found
   */
  Html of(List<T> rows, String all) {
    Html table =
        Html.tag("table")
            .of(
                Html.tag("caption").of(caption),
                Html.tag("thead").of(Html.tag("tr").of(columns.stream().map(this::header))),
                Html.tag("tbody").of(rows.stream().limit(ROWS).map(this::row)));
    int more = rows.size() - ROWS;
    return Html.all(
        Html.tag("div")
            .with("class", "scroll")
            .with("role", "region")
            .with("aria-label", caption)
            .with("tabindex", "0")
            .of(table),
        more > 0
            ? Html.tag("p")
                .with("class", "more")
                .of(
                    "And "
                        + Words.counted(more, "more row", "more rows")
                        + ": all are in "
                        + all
                        + ".")
            : Html.NOTHING);
  }

  private Html header(Column<T> column) {
    return styled(Html.tag("th").with("scope", "col"), column).of(column.header());
  }

  private Html row(T row) {
    List<Html> cells = new ArrayList<>();
    for (Column<T> column : columns) {
      Html content = Html.tag("bdi").of(column.cell().apply(row));
      cells.add(
          cells.isEmpty()
              ? styled(Html.tag("th").with("scope", "row"), column).of(content)
              : styled(Html.tag("td"), column).of(content));
    }
    return Html.tag("tr").of(cells);
  }

  private static Html.Tag styled(Html.Tag tag, Column<?> column) {
    return column.type().isEmpty() ? tag : tag.with("class", column.type());
  }
}
