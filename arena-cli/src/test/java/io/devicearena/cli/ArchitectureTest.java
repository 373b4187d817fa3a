package io.devicearena.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;

/** The layers of CONTRIBUTING.md, held against the classes. */
class ArchitectureTest {
    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            // what jextract printed keeps none of our rules
            .withImportOption(location -> !location.contains("/io/devicearena/wgpu/ffi/"))
            .importPackages("io.devicearena");

    private static final DescribedPredicate<JavaClass> JDK = resideInAPackage("java..");
    private static final DescribedPredicate<JavaClass> ANNOTATIONS = resideInAPackage("org.jspecify..");

    @Test
    void packagesHaveNoCycle() {
        slices().assignedFrom(new EachPackage()).should().beFreeOfCycles().check(OURS);
    }

    @Test
    void theVocabularyImportsNothingOfOurs() {
        dependOnlyOn("io.devicearena", "io.devicearena");
    }

    @Test
    void castsImportTheVocabulary() {
        dependOnlyOn("io.devicearena.cast", "io.devicearena", "io.devicearena.cast");
    }

    @Test
    void whatLowersPlacementsImportsNothingOfOurs() {
        dependOnlyOn("io.devicearena.plan.internal.ejection", "io.devicearena.plan.internal.ejection");
    }

    @Test
    void strategiesKnowNothingOfGraphs() {
        dependOnlyOn(
                "io.devicearena.plan.placement",
                "io.devicearena.plan.placement",
                "io.devicearena.plan.internal.exact",
                "io.devicearena.plan.internal.ejection");
    }

    @Test
    void theSearchInDepthImportsNothingButWhatIsPlaced() {
        dependOnlyOn("io.devicearena.plan.internal.exact", "io.devicearena.plan.internal.exact", "io.devicearena.plan.internal.ejection");
    }

    @Test
    void theSearchKnowsNothingOfGraphs() {
        dependOnlyOn(
                "io.devicearena.plan.optimal",
                "io.devicearena.plan.optimal",
                "io.devicearena.plan.placement",
                "io.devicearena.plan.internal.exact",
                "io.devicearena.plan.internal.ejection");
    }

    @Test
    void plan_imports_theStagesOfThePlanner() {
        dependOnlyOn(
                "io.devicearena.plan",
                "io.devicearena",
                "io.devicearena.plan",
                "io.devicearena.plan.internal.graph",
                "io.devicearena.plan.internal.sharing",
                "io.devicearena.plan.internal.schedule",
                "io.devicearena.plan.placement");
    }

    @Test
    void graphArrays_import_theVocabularyAlone() {
        dependOnlyOn("io.devicearena.plan.internal.graph", "io.devicearena", "io.devicearena.plan.internal.graph");
    }

    @Test
    void sharing_imports_graphArraysAlone() {
        dependOnlyOn(
                "io.devicearena.plan.internal.sharing",
                "io.devicearena.plan.internal.graph",
                "io.devicearena.plan.internal.sharing");
    }

    @Test
    void schedule_imports_graphArraysAndSharing() {
        dependOnlyOn(
                "io.devicearena.plan.internal.schedule",
                "io.devicearena.plan.internal.graph",
                "io.devicearena.plan.internal.sharing",
                "io.devicearena.plan.internal.schedule");
    }

    @Test
    void planText_imports_theModelAlone() {
        dependOnlyOn("io.devicearena.plan.text", "io.devicearena", "io.devicearena.plan", "io.devicearena.plan.text");
    }

    /** Clause 15.21: of the planner's package, only what a graph and a plan are made of. */
    @Test
    void validatorSharesNothingWithPlanners() {
        dependOnlyOn(
                "io.devicearena.plan.validation",
                "io.devicearena",
                "io.devicearena.plan",
                "io.devicearena.plan.validation");
        noClasses()
                .that()
                .resideInAPackage("io.devicearena.plan.validation")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("io\\.devicearena\\.plan\\.(MemoryPlanner|GraphPlanner|GraphReader|BumpAllocator|WeightLayout)")
                .check(OURS);
    }

    @Test
    void theProviderInterfaceImportsCastsAndTheVocabulary() {
        dependOnlyOn("io.devicearena.spi", "io.devicearena", "io.devicearena.cast", "io.devicearena.spi");
    }

    @Test
    void discoveryImportsTheProviderInterfaceAndTheVocabulary() {
        dependOnlyOn("io.devicearena.discovery", "io.devicearena", "io.devicearena.spi", "io.devicearena.discovery");
    }

    @Test
    void theCommandLineNeverSeesABackend() {
        noClasses()
                .that()
                .resideInAPackage("io.devicearena.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.devicearena.cpu..", "io.devicearena.wgpu..")
                .check(OURS);
    }

    @Test
    void classesAreFinalUnlessMadeForExtension() {
        classes()
                .that()
                .areNotInterfaces()
                .and()
                .areNotEnums()
                .and()
                .areNotAnonymousClasses()
                .and()
                .doNotHaveModifier(JavaModifier.ABSTRACT)
                .and()
                .doNotHaveFullyQualifiedName("io.devicearena.DeviceException")
                .should()
                .haveModifier(JavaModifier.FINAL)
                .check(OURS);
    }

    private static void dependOnlyOn(String of, String... allowed) {
        classes()
                .that()
                .resideInAPackage(of)
                .should()
                .onlyDependOnClassesThat(JDK.or(ANNOTATIONS).or(resideInAnyPackage(allowed)))
                .check(OURS);
    }

    /** Every package is a slice of its own, the root too. */
    private static final class EachPackage implements SliceAssignment {
        @Override
        public String getDescription() {
            return "each package";
        }

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getPackageName());
        }
    }
}
