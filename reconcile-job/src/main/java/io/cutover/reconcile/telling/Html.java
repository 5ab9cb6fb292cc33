package io.cutover.reconcile.telling;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A piece of a page. A string becomes a part of one only by {@link #text} or as the value of an
 * attribute, and both escape it; so nothing that comes from data is ever markup. Every element is
 * closed: the page is well-formed XML too.
 */
final class Html {

  static final Html NOTHING = new Html("");

  /** Elements behind which a line end would show as a space. */
  private static final Set<String> WITHIN_A_LINE = Set.of("bdi", "span");

  private final String markup;

  private Html(String markup) {
    this.markup = markup;
  }

  /** Text to be shown as it is. */
  static Html text(String text) {
    return new Html(escaped(text));
  }

  static Html all(Html... parts) {
    return all(List.of(parts));
  }

  static Html all(List<Html> parts) {
    StringBuilder markup = new StringBuilder();
    parts.forEach(part -> markup.append(part.markup));
    return new Html(markup.toString());
  }

  /** Rules of style, from a resource. */
  static Html style(String css) {
    if (css.contains("<") || css.contains("&")) {
      throw new IllegalArgumentException(
          "a style has no < and no &, which end it or need escaping");
    }
    return new Html("<style>\n" + css + "</style>");
  }

  /** The element, of a name that is written in the code. */
  static Tag tag(String name) {
    return new Tag(name, "");
  }

  /** The whole document. */
  static String document(Html html) {
    return "<!DOCTYPE html>\n" + html.markup + "\n";
  }

  private static String escaped(String text) {
    String visible = Words.visible(text);
    StringBuilder escaped = new StringBuilder(visible.length() + 16);
    for (int i = 0; i < visible.length(); i++) {
      char c = visible.charAt(i);
      switch (c) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '"' -> escaped.append("&quot;");
        case '\'' -> escaped.append("&#39;");
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }

  /** An element without its content. */
  record Tag(String name, String attributes) {

    Tag with(String attribute, String value) {
      return new Tag(name, attributes + " " + attribute + "=\"" + escaped(value) + "\"");
    }

    Html of(String text) {
      return of(text(text));
    }

    Html of(Html... content) {
      return of(List.of(content));
    }

    Html of(Stream<Html> content) {
      return of(content.toList());
    }

    Html of(List<Html> content) {
      String end = WITHIN_A_LINE.contains(name) ? ">" : ">\n";
      return new Html("<" + name + attributes + ">" + all(content).markup + "</" + name + end);
    }

    /** An element that never has content. */
    Html alone() {
      return new Html("<" + name + attributes + "/>\n");
    }
  }
}
