package io.devicearena.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/**
 * Every clause that a mutant names fails on it, and the failure names clause and provider. Whether further clauses
 * would fail too is not asked: most faults show in many places. No verdict depends on luck: where a fault needs two
 * threads at once, the mutant makes them meet, with {@link Meeting} or {@link MetByClose}; a mutant whose threads
 * cannot be made to meet names no clause of threads.
 */
class KitCatchesMutantsTest {
    private static final String SEED = "devicearena.seed";

    /** Tests the mutants of one clause, such as 5.2: for work on it. */
    private static final String CLAUSE = "devicearena.clause";

    /** Percent: few rounds, since the threads of a mutant meet in the first ones. */
    private static final String EFFORT = "10";

    /** Percent: the data of group 22 has its whole length only with the usual effort. */
    private static final String LONG_DATA = "100";

    private static @Nullable String seed;
    private static @Nullable String effort;

    /** Which clauses random data breaks is planned for the kit's own seeds. */
    @BeforeAll
    static void useTheKitsOwnSeeds() {
        seed = System.clearProperty(SEED);
        effort = System.clearProperty(Iterations.PROPERTY);
    }

    @AfterAll
    static void restoreTheSeed() {
        if (seed != null) {
            System.setProperty(SEED, seed);
        }
        System.clearProperty(Iterations.PROPERTY);
        if (effort != null) {
            System.setProperty(Iterations.PROPERTY, effort);
        }
        OnMutant.provider = ReferenceProvider::new;
    }

    static Stream<Mutant> mutants() {
        return Stream.of(
                        GeometryMutants.all(),
                        MoveMutants.writes(),
                        MoveMutants.reads(),
                        CastMutants.all(),
                        RawMutants.all(),
                        BatchMutants.batches(),
                        LifeMutants.order(),
                        LifeMutants.lifetime(),
                        LifeMutants.threads(),
                        RefusalMutants.limits(),
                        RefusalMutants.errors(),
                        ProviderMutants.providers(),
                        ProviderMutants.hostMemory(),
                        ShadowMutants.all(),
                        SegmentMutants.moves(),
                        SegmentMutants.others(),
                        ValueMutants.moves(),
                        ValueMutants.refusals(),
                        WriteBatchMutants.all(),
                        ViewMutants.views(),
                        ViewMutants.segments(),
                        ViewMutants.weights(),
                        CheckingMutants.all(),
                        HostSegmentMutants.all(),
                        EndMutants.all(),
                        MappedViewMutants.all(),
                        ThreadCallMutants.lengths(),
                        ThreadCallMutants.threads(),
                        ThreadCallMutants.closes(),
                        GuardMutants.all(),
                        LongDataMutants.moves(),
                        LongDataMutants.ways(),
                        LongDataMutants.large(),
                        DeferredReadMutants.all(),
                        CountMutants.all(),
                        CallerMemoryMutants.all(),
                        ReadHandleMutants.all(),
                        FloatMutants.all(),
                        FloatMutants.mirrors())
                .flatMap(List::stream);
    }

    /** The mutants that {@value #CLAUSE} names by a clause, else all. */
    static Stream<Mutant> chosenMutants() {
        String clause = System.getProperty(CLAUSE);
        return mutants().filter(mutant -> clause == null || mutant.clauses().contains(clause));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("chosenMutants")
    void plannedClausesFail(Mutant mutant) {
        boolean isLong = mutant.clauses().stream().anyMatch(clause -> clause.startsWith("22."));
        System.setProperty(Iterations.PROPERTY, isLong ? LONG_DATA : EFFORT);
        OnMutant.provider = mutant.provider();
        DiscoverySelector[] planned = KitFollowsSpecificationTest.ofTheKit().stream()
                .filter(clause -> mutant.clauses().contains(clause.id()))
                .map(clause -> selectMethod(OnMutant.class, clause.test()))
                .toArray(DiscoverySelector[]::new);
        TreeMap<Clause, String> failures = new TreeMap<>();
        EngineTestKit.engine("junit-jupiter").selectors(planned).execute().testEvents().failed().stream()
                .forEach(event -> failures.put(clause(event), message(event)));
        assertThat(failures.keySet().stream().map(Clause::id))
                .as(() -> "clauses that failed on '" + mutant.fault() + "':\n" + String.join("\n", failures.values()))
                .containsExactlyInAnyOrderElementsOf(mutant.clauses());
        assertThat(failures)
                .allSatisfy((clause, message) -> assertThat(message)
                        .startsWith("clause " + clause.id() + " " + clause.name() + ", provider '")
                        .containsPattern("^clause [^:]*: .")
                        .doesNotContain("expected an end in time")); // none is caught by a hang
    }

    private static Clause clause(Event event) {
        String test = event.getTestDescriptor().getDisplayName().replace("()", "");
        return Clause.ofTest(test).orElseThrow();
    }

    private static String message(Event event) {
        return event.getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .map(Throwable::getMessage)
                .orElse("");
    }

    @Test
    void mutantsAreManyAndDistinct() {
        assertThat(mutants()).hasSizeGreaterThan(500);
        assertThat(mutants().map(Mutant::fault)).doesNotHaveDuplicates();
    }

    /** The committed list is exact: a new clause needs a mutant that breaks it. */
    @Test
    void clausesThatNoMutantBreaksAreListed() throws IOException {
        TreeSet<Clause> unbroken = new TreeSet<>(KitFollowsSpecificationTest.ofTheKit());
        mutants().forEach(mutant -> unbroken.removeIf(clause -> mutant.clauses().contains(clause.id())));
        assertThat(unbroken.stream().map(Clause::test)).containsExactlyElementsOf(listed());
    }

    private static List<String> listed() throws IOException {
        try (InputStream list = Objects.requireNonNull(
                KitCatchesMutantsTest.class.getResourceAsStream("/clauses-without-mutant.txt"), "the list")) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .toList();
        }
    }
}
