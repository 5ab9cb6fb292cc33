package io.cutover;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What holds the packages apart. */
class ArchitectureTest {

  /** The job's own, where its main class was loaded from. */
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .importUrl(CutoverJob.class.getProtectionDomain().getCodeSource().getLocation());

  @Test
  void onlyOnePackageTouchesTheAwsSdk() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.cutover.kinesis")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("software.amazon.awssdk..")
        .check(CLASSES);
  }

  @Test
  void readingKnowsNothingOfWriting() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.cutover.source", "io.cutover.kinesis", "io.cutover.lineage", "io.cutover.kpl")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("io.cutover.kafka", "io.cutover.backfill", "org.apache.kafka..")
                .or(resideInAPackage("org.apache.flink.connector.kafka..")))
        .check(CLASSES);
  }

  @Test
  void lineageKnowsNothingOfFlink() {
    noClasses()
        .that()
        .resideInAnyPackage("io.cutover.lineage", "io.cutover.kpl", "io.cutover.tally")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.flink..")
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().assignedFrom(new Steps()).should().beFreeOfCycles().check(CLASSES);
  }

  /** A package is a step; the main class stands above all of them, what it shares below. */
  private static final class Steps implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      return type.getPackageName().equals("io.cutover")
          ? SliceIdentifier.of(outermost(type).getFullName())
          : SliceIdentifier.of(type.getPackageName());
    }

    private static JavaClass outermost(JavaClass type) {
      return type.getEnclosingClass().map(Steps::outermost).orElse(type);
    }

    @Override
    public String getDescription() {
      return "packages";
    }
  }

  @Test
  void nothingDependsOnTheMainClass() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(CutoverJob.class.getName())
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName(CutoverJob.class.getName())
        .check(CLASSES);
  }

  /** The deliberate face of each package; everything else is its own business. */
  @Test
  void publicClassesAreThese() {
    Map<String, Set<String>> face =
        CLASSES.stream()
            .filter(JavaClass::isTopLevelClass)
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .collect(
                groupingBy(
                    JavaClass::getPackageName,
                    TreeMap::new,
                    mapping(JavaClass::getSimpleName, toCollection(TreeSet::new))));
    assertThat(face)
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry(
                    "io.cutover",
                    Set.of(
                        "ApplicationMode",
                        "CutoverDir",
                        "CutoverJob",
                        "JobMain",
                        "Outcome",
                        "Reason",
                        "Refusal",
                        "UsageException",
                        "Version")),
                Map.entry("io.cutover.backfill", Set.of("BackfillCommand")),
                Map.entry(
                    "io.cutover.config",
                    Set.of(
                        "BackfillOptions",
                        "ConfigArguments",
                        "CutoverConfig",
                        "PinOptions",
                        "PreflightOptions",
                        "ReconcileOptions")),
                Map.entry(
                    "io.cutover.kafka",
                    Set.of(
                        "BriefAdmin",
                        "CopyTransactions",
                        "KafkaAnswer",
                        "KafkaClientProperties",
                        "KafkaOptions",
                        "KafkaRecordMapper",
                        "LargestRecord",
                        "OriginHeaders",
                        "Topic",
                        "TopicDescription",
                        "TopicReadBack",
                        "TopicScan",
                        "TransactionalIds")),
                Map.entry(
                    "io.cutover.kinesis",
                    Set.of(
                        "KinesisAnswer",
                        "KinesisFailure",
                        "KinesisOptions",
                        "KinesisRecord",
                        "KinesisStream",
                        "Page",
                        "Position",
                        "StreamDescription")),
                Map.entry(
                    "io.cutover.kpl",
                    Set.of("Deaggregated", "Deaggregator", "Origin", "UserRecord")),
                Map.entry(
                    "io.cutover.lineage",
                    Set.of(
                        "Boundary",
                        "EndReason",
                        "HashRange",
                        "Lineage",
                        "LineageTracker",
                        "ReleasePolicy",
                        "Shard")),
                Map.entry(
                    "io.cutover.pin",
                    Set.of("Pin", "PinCheck", "PinCommand", "PinFile", "Retention")),
                Map.entry(
                    "io.cutover.preflight",
                    Set.of(
                        "Check",
                        "CheckName",
                        "OpenTransactions",
                        "Preflight",
                        "PreflightCommand",
                        "PreflightResult",
                        "Remedy",
                        "Told",
                        "TopicContent",
                        "Verdict")),
                Map.entry(
                    "io.cutover.progress",
                    Set.of(
                        "CopyCounters",
                        "CopyStanding",
                        "CopyWatch",
                        "Progress",
                        "SlidingRate",
                        "Standing",
                        "Watch")),
                Map.entry(
                    "io.cutover.report",
                    Set.of(
                        "BackfillReport",
                        "CopyReport",
                        "ExpiredUnread",
                        "ReportedShard",
                        "RunFacts",
                        "StartFacts",
                        "WitnessFile")),
                Map.entry(
                    "io.cutover.source",
                    Set.of(
                        "Admission",
                        "LineageOutput",
                        "LineageSource",
                        "LineageState",
                        "Mark",
                        "Pace",
                        "ReadCost",
                        "ReadStart",
                        "ShardLedger",
                        "ShardSplit",
                        "SourceOptions",
                        "StreamLife",
                        "VersionedType")),
                Map.entry(
                    "io.cutover.tally",
                    Set.of("RecordDigest", "Sha256", "Tallier", "Tallies", "Tally", "Windows"))));
  }

  @Test
  void nobodyPrintsButACommand() {
    noClasses()
        .that(simpleNameEndingWith("Command").negate())
        .and()
        .doNotHaveFullyQualifiedName(CutoverJob.class.getName())
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(CLASSES);
  }

  @Test
  void loggingIsSlf4js() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.util.logging..", "org.apache.logging..", "org.apache.log4j..")
        .check(CLASSES);
  }

  @Test
  void namesSayWhatAClassIs() {
    classes().should().haveNameNotMatching(".*(Impl|Util|Utils|Helper|Manager)").check(CLASSES);
  }
}
