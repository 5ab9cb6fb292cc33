package io.cutover.preflight;

import java.util.Optional;
import java.util.Set;

/**
 * One thing that was looked at.
 *
 * @param found what there is
 * @param wanted what the copy needs
 * @param remedy what mends it; absent on PASS
 * @param note what else must be said of it
 */
public record Check(
    CheckName name,
    String found,
    String wanted,
    Verdict verdict,
    Optional<Remedy> remedy,
    Optional<String> note) {

  static Check of(CheckName name, boolean holds, String found, String wanted, Remedy remedy) {
    return new Check(
        name,
        found,
        wanted,
        holds ? Verdict.PASS : Verdict.FAIL,
        holds ? Optional.empty() : Optional.of(remedy),
        Optional.empty());
  }

  static Check pass(CheckName name, String found, String wanted) {
    return new Check(name, found, wanted, Verdict.PASS, Optional.empty(), Optional.empty());
  }

  static Check fail(CheckName name, String found, String wanted, Remedy remedy) {
    return of(name, false, found, wanted, remedy);
  }

  static Check unknown(CheckName name, String found, String wanted, Remedy remedy) {
    return new Check(name, found, wanted, Verdict.UNKNOWN, Optional.of(remedy), Optional.empty());
  }

  /** With what the user waives: an UNKNOWN only. */
  Check waivedIn(Set<CheckName> waivers) {
    if (!waivers.contains(name)) {
      return this;
    }
    return switch (verdict) {
      case UNKNOWN -> new Check(name, found, wanted, Verdict.WAIVED, remedy, note);
      case FAIL ->
          new Check(
              name,
              found,
              wanted,
              verdict,
              remedy,
              Optional.of("a failure cannot be waived, only what is unknown"));
      case PASS, WAIVED -> this;
    };
  }
}
