package io.devicearena.rules;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.lang.module.ModuleDescriptor;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Layers, sizes and names of packages and classes, held against the class files. */
class ArchitectureTest {
    private static final int MOST_CLASSES_OF_PACKAGE = 22;

    /** Larger packages, with the most classes each may have. */
    private static final Map<String, Integer> LARGE_PACKAGES = Map.of(
            // the clauses, one interface for each group of the specification
            "io.devicearena.conformance.topics",
            30,
            // each product as a step, and how the host, WGSL and CUDA compute it
            "io.devicearena.kernels.matrix",
            23,
            // what an engine imports first: the arena, its plan, its batches and its exceptions
            "io.devicearena",
            27);

    /**
     * What the proof of a plan may see of the planner: the types that a plan and its graph are made of (clause 17.13).
     */
    private static final Set<String> MODEL = Set.of(
            "FamilyPlan",
            "InvalidGraphException",
            "InvalidPlanException",
            "LiveBuffer",
            "PhasedGraph",
            "PlanGraph",
            "PlanNode",
            "PlanOptions",
            "PlanResult",
            "ViewOf");

    private static final Set<String> MADE_FOR_EXTENSION = Set.of("io.devicearena.DeviceException");

    @Test
    void packages_theirImports_haveNoCycle() {
        slices().assignedFrom(new EachRow()).should().beFreeOfCycles().check(OurClasses.ALL);
    }

    @Test
    void packages_theirImports_followTheTable() {
        assertThat(ours(_ -> true).flatMap(Layers::violations).distinct().sorted())
                .isEmpty();
    }

    @Test
    void table_eachRow_hasClasses() {
        assertThat(Layers.table().keySet())
                .isSubsetOf(ours(_ -> true).map(Layers::rowOf).collect(Collectors.toSet()));
    }

    @Test
    void validation_itsImports_shareNothingWithThePlanner() {
        String validation = "io.devicearena.plan.validation";
        List<JavaClass> validators =
                ours(type -> type.getPackageName().equals(validation)).toList();
        assertThat(validators).isNotEmpty();
        assertThat(validators.stream()
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .map(use -> use.getTargetClass().getBaseComponentType())
                        .filter(used -> used.getPackageName().startsWith("io.devicearena."))
                        .filter(used -> !used.getPackageName().equals(validation))
                        .filter(used -> !isModel(used))
                        .map(JavaClass::getName)
                        .distinct())
                .isEmpty();
    }

    private static boolean isModel(JavaClass type) {
        return type.getPackageName().equals("io.devicearena.plan.size")
                || (type.getPackageName().equals("io.devicearena.plan")
                        && MODEL.contains(topLevel(type).getSimpleName()));
    }

    @Test
    void commandLine_itsImports_haveNoBackend() {
        assertThat(ours(type -> type.getPackageName().startsWith("io.devicearena.cli"))
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .map(use -> use.getTargetClass().getBaseComponentType().getName())
                        .filter(name -> name.matches("io\\.devicearena\\.(?:cpu|wgpu)\\..*")))
                .isEmpty();
    }

    @Test
    void package_itsSize_isSmallEnoughToRead() {
        Map<String, Long> tooLarge = new TreeMap<>(ours(type -> !OurClasses.isGenerated(type))
                .filter(type -> type.getEnclosingClass().isEmpty())
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting())));
        tooLarge.entrySet()
                .removeIf(entry ->
                        entry.getValue() <= LARGE_PACKAGES.getOrDefault(entry.getKey(), MOST_CLASSES_OF_PACKAGE));
        assertThat(tooLarge).isEmpty();
    }

    @Test
    void module_itsExports_haveNoInternalPackage() {
        Map<String, ModuleDescriptor> modules = OurClasses.modules();
        assertThat(modules).containsKeys("io.devicearena", "io.devicearena.plan", "io.devicearena.wgpu");
        assertThat(modules.values().stream()
                        .flatMap(module -> module.exports().stream())
                        .map(ModuleDescriptor.Exports::source)
                        .filter(name -> Pattern.matches(".*\\.(?:internal|ffi)(?:\\..*)?", name)))
                .isEmpty();
    }

    @Test
    void classes_notMadeForExtension_areFinal() {
        assertThat(ours(type -> !OurClasses.isGenerated(type))
                        .filter(type -> !type.isInterface() && !type.isEnum() && !type.isAnonymousClass())
                        .filter(type -> !type.getModifiers().contains(JavaModifier.ABSTRACT))
                        .filter(type -> !type.getModifiers().contains(JavaModifier.FINAL))
                        // JMH makes subclasses of these
                        .filter(type -> !type.isAnnotatedWith("org.openjdk.jmh.annotations.State"))
                        .map(JavaClass::getName)
                        .filter(name -> !MADE_FOR_EXTENSION.contains(name)))
                .isEmpty();
    }

    /** The parser sets them by reflection. From 26 on the JDK warns of that for final fields, to refuse it later. */
    @Test
    void options_theirFields_areNotFinal() {
        List<JavaField> options = ours(_ -> true)
                .flatMap(type -> type.getFields().stream())
                .filter(field -> field.isAnnotatedWith("picocli.CommandLine$Option")
                        || field.isAnnotatedWith("picocli.CommandLine$Parameters"))
                .toList();
        assertThat(options).isNotEmpty();
        assertThat(options.stream().filter(field -> field.getModifiers().contains(JavaModifier.FINAL)))
                .isEmpty();
    }

    @Test
    void classes_theirNames_sayWhatTheyAre() {
        assertThat(ours(_ -> true)
                        .map(JavaClass::getSimpleName)
                        .filter(name -> name.matches(".*(?:Impl|Manager|Helper|Helpers|Util|Utils)")))
                .isEmpty();
    }

    private static Stream<JavaClass> ours(Predicate<JavaClass> chosen) {
        return OurClasses.ALL.stream()
                .filter(type -> !type.getPackageName().contains("jmh_generated"))
                .filter(chosen);
    }

    private static JavaClass topLevel(JavaClass type) {
        return type.getEnclosingClass().map(ArchitectureTest::topLevel).orElse(type);
    }

    /** Every row of the table is a slice of its own. */
    private static final class EachRow implements SliceAssignment {
        @Override
        public String getDescription() {
            return "each row of the table of layers";
        }

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return type.getPackageName().matches("io\\.devicearena(?:\\..*)?")
                    ? SliceIdentifier.of(Layers.rowOf(type))
                    : SliceIdentifier.ignore();
        }
    }
}
