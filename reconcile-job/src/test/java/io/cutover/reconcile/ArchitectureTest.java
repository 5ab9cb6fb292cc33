package io.cutover.reconcile;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;

/** What holds the reconciliation apart from the copy, and its packages from each other. */
class ArchitectureTest {

  /** The reconciliation's own, where its main class was loaded from. */
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .importUrl(ReconcileJob.class.getProtectionDomain().getCodeSource().getLocation());

  @Test
  void proofSharesNothingWithTheWritingOfTheCopy() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.cutover.backfill..", "org.apache.flink.connector.kafka.sink..")
        .check(CLASSES);
  }

  @Test
  void awsSdkIsLeftToThePackageForIt() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("software.amazon.awssdk..")
        .check(CLASSES);
  }

  @Test
  void verdictAndItsTellingKnowNothingOfHowItIsFound() {
    noClasses()
        .that()
        .resideInAnyPackage("io.cutover.reconcile.verdict", "io.cutover.reconcile.telling")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.flink..", "org.apache.kafka..", "io.cutover.source..")
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
      return type.getPackageName().equals("io.cutover.reconcile")
          ? SliceIdentifier.of(type.getFullName())
          : SliceIdentifier.of(type.getPackageName());
    }

    @Override
    public String getDescription() {
      return "packages";
    }
  }

  @Test
  void nobodyPrintsButACommand() {
    noClasses()
        .that(simpleNameEndingWith("Command").negate())
        .and()
        .doNotHaveFullyQualifiedName(ReconcileJob.class.getName())
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
