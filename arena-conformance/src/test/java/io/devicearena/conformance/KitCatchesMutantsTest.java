package io.devicearena.conformance;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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
 * For each mutant exactly the planned clauses fail, of the groups that these are in, and the failures name clause and
 * provider. The clauses of other groups are not run: they would take most of the time.
 */
class KitCatchesMutantsTest {
    private static final String SEED = "devicearena.seed";

    /** Percent, for mutants that tests of threads must find. */
    private static final String USUAL = "100";

    /** Percent: the other mutants are found in few rounds. */
    private static final String QUICK = "10";

    /** Clauses outside group 9 that need the usual number of rounds to find their mutants. */
    private static final Set<String> RACES = Set.of("5.16", "17.13", "18.10", "19.9", "19.15");

    /** Clauses that may meet the fault of another clause by chance, when a thread comes between. */
    private static final Set<String> BY_CHANCE = Set.of("9.6", "9.9", "9.12", "9.13");

    /** Clauses that take long, since they wait for a collection or cross many segments. */
    private static final Set<String> SLOW = Set.of("3.9", "8.5", "8.6", "16.4", "16.5", "19.8", "19.15", "19.20");

    /** Clauses with many things of one kind, or memory of every kind, which meet the faults of others. */
    private static final Set<String> MANY = Set.of("5.17", "5.18", "5.19", "18.12", "18.13", "19.21", "21.12", "21.13");

    /** Runs each mutant against all clauses, not only those of its groups. */
    private static final boolean IS_WHOLE = Boolean.getBoolean("devicearena.mutants.whole");

    /** The first of the clauses of group 6 that read deferred in every way, as group 22 moves data in every way. */
    private static final int FIRST_BROAD = 15;

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

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void exactlyThePlannedClausesFail(Mutant mutant) {
        boolean hunts = mutant.clauses().equals(Set.of("16.8"))
                || mutant.clauses().stream()
                        .anyMatch(clause ->
                                clause.startsWith("9.") || clause.startsWith("22.") || RACES.contains(clause));
        System.setProperty(Iterations.PROPERTY, hunts ? USUAL : QUICK);
        TreeMap<Clause, String> failures = new TreeMap<>();
        OnMutant.provider = mutant.provider();
        EngineTestKit.engine("junit-jupiter").selectors(clausesFor(mutant)).execute().testEvents().failed().stream()
                .forEach(event -> failures.put(clause(event), message(event)));
        Set<String> failed = failures.keySet().stream()
                .filter(clause -> !isBroad(clause) || mutant.clauses().contains(clause.id()))
                .map(Clause::id)
                .collect(toCollection(TreeSet::new));
        if (IS_WHOLE) {
            failed.retainAll(mutant.clauses()); // others may meet the fault too
        }
        assertThat(failed)
                .as(() -> "clauses that failed on '" + mutant.fault() + "':\n"
                        + failures.values().stream().collect(joining("\n")))
                .isEqualTo(mutant.clauses());
        assertThat(failures)
                .allSatisfy((clause, message) -> assertThat(message)
                        .startsWith("clause " + clause.id() + " " + clause.name() + ", provider '")
                        .containsPattern("^clause [^:]*: ."));
    }

    /** The planned clauses, and those of their groups that are quick and specific. */
    private static DiscoverySelector[] clausesFor(Mutant mutant) {
        List<Clause> all = List.copyOf(KitFollowsSpecificationTest.ofTheKit());
        if (IS_WHOLE) {
            return all.stream()
                    .map(clause -> selectMethod(OnMutant.class, clause.test()))
                    .toArray(DiscoverySelector[]::new);
        }
        Set<Integer> groups = all.stream()
                .filter(clause -> mutant.clauses().contains(clause.id()))
                .map(Clause::group)
                .collect(toSet());
        return all.stream()
                .filter(clause -> mutant.clauses().contains(clause.id())
                        || (groups.contains(clause.group()) && !isBroad(clause) && !SLOW.contains(clause.id())))
                .map(clause -> selectMethod(OnMutant.class, clause.test()))
                .toArray(DiscoverySelector[]::new);
    }

    /** Whether a clause meets the faults of many others, so that a mutant need not name it. */
    private static boolean isBroad(Clause clause) {
        boolean deferred = clause.group() == 6 && clause.number() >= FIRST_BROAD;
        return clause.group() == 22 || deferred || MANY.contains(clause.id()) || BY_CHANCE.contains(clause.id());
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
