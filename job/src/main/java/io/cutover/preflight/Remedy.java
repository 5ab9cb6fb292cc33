package io.cutover.preflight;

/**
 * What mends a check.
 *
 * @param command whether the text can be pasted into a shell; otherwise it is for reading, or a
 *     line for a configuration file
 */
public record Remedy(String text, boolean command) {

  static Remedy command(String text) {
    return new Remedy(text, true);
  }

  static Remedy advice(String text) {
    return new Remedy(text, false);
  }

  Remedy and(String further) {
    return new Remedy(text + further, false);
  }
}
