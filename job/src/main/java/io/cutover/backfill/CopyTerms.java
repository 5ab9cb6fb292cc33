package io.cutover.backfill;

import io.cutover.CutoverDir;
import io.cutover.config.BackfillOptions;
import io.cutover.config.PinOptions;
import io.cutover.kafka.KafkaOptions;
import io.cutover.lineage.Boundary;
import io.cutover.pin.Pin;
import java.io.Serializable;
import org.apache.flink.configuration.Configuration;

/** What a copy is made by: its pin, and the configuration of its runs. */
record CopyTerms(Pin pin, Configuration config) implements Serializable {

  CutoverDir dir() {
    return new CutoverDir(config.get(BackfillOptions.DIR));
  }

  Boundary boundary() {
    return new Boundary(pin.boundary(), config.get(PinOptions.SLACK));
  }

  KafkaOptions.Key key() {
    return config.get(KafkaOptions.KEY);
  }
}
