package io.cutover.reconcile.judge;

import io.cutover.CutoverDir;
import io.cutover.Reason;
import io.cutover.Refusal;
import io.cutover.config.BackfillOptions;
import io.cutover.reconcile.compare.Compared;
import io.cutover.reconcile.drilldown.ShardRead;
import io.cutover.reconcile.drilldown.Told;
import io.cutover.reconcile.plan.Plan;
import io.cutover.reconcile.telling.DifferencesFile;
import io.cutover.reconcile.verdict.Difference;
import io.cutover.reconcile.verdict.Verdict;
import io.cutover.reconcile.verdict.VerdictReport;
import io.cutover.reconcile.verdict.VerdictReport.Recount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.InputSelectable;
import org.apache.flink.streaming.api.operators.InputSelection;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Gives the verdict when all has been read and named, and writes its files. Fails the job, without
 * a restart, with any verdict but CLEARED, so that the job's state tells it too. One subtask.
 *
 * <p>First hears what came of the reading, then the records that differ: only by the one can it be
 * told which of the others are certain. These go to their file one by one.
 */
public final class VerdictOperator extends AbstractStreamOperator<Void>
    implements TwoInputStreamOperator<Told, Difference, Void>, BoundedMultiInput, InputSelectable {

  private static final long serialVersionUID = 1L;

  private static final int TOLD = 1;

  private final Plan plan;

  private transient Optional<Compared> compared;
  private transient List<ShardRead> reads;
  private transient List<Recount> recounts;
  private transient boolean toldAll;
  private transient Optional<Naming> naming;

  /** The records that differ, on their way to the file. */
  private record Naming(Compared compared, Named named, DifferencesFile file) {}

  public VerdictOperator(Plan plan) {
    this.plan = plan;
  }

  @Override
  public void open() throws Exception {
    super.open();
    compared = Optional.empty();
    reads = new ArrayList<>();
    recounts = new ArrayList<>();
    naming = Optional.empty();
  }

  @Override
  public InputSelection nextSelection() {
    return toldAll ? InputSelection.SECOND : InputSelection.FIRST;
  }

  @Override
  public void processElement1(StreamRecord<Told> element) {
    Told told = element.getValue();
    told.compared().ifPresent(c -> compared = Optional.of(c));
    told.shardRead().ifPresent(reads::add);
    told.recount().ifPresent(recounts::add);
  }

  @Override
  public void processElement2(StreamRecord<Difference> element) {
    Naming open = naming.orElseThrow();
    open.named().take(element.getValue()).ifPresent(open.file()::add);
  }

  @Override
  public void endInput(int inputId) {
    if (inputId == TOLD) {
      toldAll = true;
      Compared whole = compared.orElseThrow();
      naming =
          Optional.of(
              new Naming(
                  whole,
                  new Named(plan.span().windows(), whole.comparison().differing(), reads),
                  DifferencesFile.begin(dir(), plan.pin().id(), plan.facts().run())));
    } else {
      judge(naming.orElseThrow());
    }
  }

  private CutoverDir dir() {
    return new CutoverDir(plan.config().get(BackfillOptions.DIR));
  }

  private void judge(Naming named) {
    VerdictReport report =
        new Judge(
                plan,
                named.compared(),
                named.named(),
                named.file().publish(),
                recounts,
                Instant.ofEpochMilli(getProcessingTimeService().getCurrentProcessingTime()))
            .report();
    Outlets.of(plan.config()).tell(report);
    LOG.info("The verdict is {}.", report.verdict());
    if (report.verdict() != Verdict.CLEARED) {
      throw new SuppressRestartsException(refusal(report));
    }
  }

  /** The verdict in words, for whoever sees only why the job failed. */
  public static Refusal refusal(VerdictReport report) {
    return new Refusal(
        Reason.valueOf(report.verdict().name()),
        report.reasons().stream()
            .map(finding -> finding.code() + " (" + finding.count() + ")")
            .reduce((one, other) -> one + ", " + other)
            .map(codes -> "the copy " + report.scope().pin() + " is not cleared: " + codes)
            .orElseThrow());
  }

  @Override
  public void close() throws Exception {
    naming.ifPresent(open -> open.file().close());
    super.close();
  }
}
