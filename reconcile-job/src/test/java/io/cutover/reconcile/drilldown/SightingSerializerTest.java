package io.cutover.reconcile.drilldown;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutover.kpl.Origin;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class SightingSerializerTest {

  private static final SightingSerializer SERIALIZER = new SightingSerializer();

  @Property
  void whatWasWrittenIsReadAgain(@ForAll("sightings") Sighting sighting) throws IOException {
    assertThat(SERIALIZER.deserialize(1, SERIALIZER.serialize(sighting))).isEqualTo(sighting);
  }

  @Provide
  Arbitrary<Sighting> sightings() {
    Arbitrary<Origin> origins =
        Combinators.combine(
                Arbitraries.strings().alpha().numeric().ofMinLength(1).ofMaxLength(128),
                Arbitraries.strings().numeric().ofMinLength(1).ofMaxLength(129),
                Arbitraries.integers().greaterOrEqual(0).optional())
            .as(
                (shard, sequence, sub) ->
                    new Origin(
                        shard, sequence, sub.map(OptionalInt::of).orElseGet(OptionalInt::empty)));
    Arbitrary<Optional<Sighting.Spot>> spots =
        Combinators.combine(
                Arbitraries.integers().greaterOrEqual(0), Arbitraries.longs().greaterOrEqual(0))
            .as(Sighting.Spot::new)
            .optional();
    return Combinators.combine(
            origins,
            spots,
            Arbitraries.longs(),
            Arbitraries.of(true, false),
            Arbitraries.of(true, false),
            Arbitraries.of(true, false),
            prints(),
            prints())
        .as(Sighting::new);
  }

  private static Arbitrary<Fingerprint> prints() {
    return Combinators.combine(
            Arbitraries.of(true, false), Arbitraries.longs(), Arbitraries.longs())
        .as(Fingerprint::new);
  }
}
