package io.devicearena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.conformance.calls.Iterations;
import io.devicearena.conformance.junit.Clause;
import io.devicearena.conformance.junit.Subject;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.TestAbortedException;

/**
 * Each mutant names the clause that fails first on it, in the order of the specification, and what the message says.
 *
 * <p>Five hundred whole runs take hours. So the default build tests the named clause alone. With
 * {@code -Ddevicearena.matrix=true} every clause runs on every mutant: the named one must be the first that fails, and
 * {@value #MATRIX} gets a line for each mutant with all that fail.
 *
 * <p>Mutants share nothing, so several are tested at once. No verdict depends on luck: where a fault needs two threads
 * at once, the mutant makes them meet, with {@link Meeting} or {@link MetByClose}, while the named clause is tested.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KitCatchesMutantsTest {
    private static final String MATRIX = "target/mutants.tsv";
    private static final boolean IS_WHOLE = Boolean.getBoolean("devicearena.matrix");
    private static final String SEED = "devicearena.seed";

    /** Tests the mutants of one clause, such as 4.1: for work on it. */
    private static final String CLAUSE = "devicearena.clause";

    /** Percent: few rounds, since the threads of a mutant meet in the first ones. */
    private static final String EFFORT = "10";

    /** Percent: data has its whole length only with the usual effort, and a sequence that fails is the last. */
    private static final String USUAL_EFFORT = "100";

    private static final String FOOTPRINT = "8.4";

    /** They look at the memory of the process, its log and its garbage collector. */
    private static final Set<String> ALONE = Set.of("8.3", FOOTPRINT, "8.5");

    private static final List<Method> IN_ORDER = Arrays.stream(OnMutant.class.getMethods())
            .filter(method -> Clause.ofTest(method.getName()).isPresent())
            .sorted(Comparator.comparing(KitCatchesMutantsTest::clause))
            .toList();

    private static final Map<String, Verdict> VERDICTS = new ConcurrentHashMap<>();

    /** A mutant moves up to 33 MiB at a time, from several memories. */
    private static final long HEAP_OF_MUTANT = 256L << 20;

    private static final int AT_ONCE = Math.clamp(
            Runtime.getRuntime().maxMemory() / HEAP_OF_MUTANT,
            1,
            Runtime.getRuntime().availableProcessors());

    /** The clauses that failed, in order, and what the first of them said. */
    private record Verdict(List<String> failing, String first) {}

    /** Which clauses random data breaks is planned for the kit's own seeds. */
    @BeforeAll
    @Timeout(value = 10, unit = TimeUnit.HOURS)
    static void testThem() throws InterruptedException, ExecutionException, IOException {
        Map<String, @Nullable String> before = new HashMap<>();
        for (String property : List.of(SEED, Iterations.PROPERTY, "devicearena.unshrunk")) {
            before.put(property, System.getProperty(property));
        }
        System.clearProperty(SEED);
        System.setProperty("devicearena.unshrunk", "true");
        try {
            System.setProperty(Iterations.PROPERTY, USUAL_EFFORT);
            test(AT_ONCE, KitCatchesMutantsTest::isOfTheProperty);
            System.setProperty(Iterations.PROPERTY, EFFORT);
            test(AT_ONCE, mutant -> !isOfTheProperty(mutant) && !ALONE.contains(mutant.clause()));
            test(1, mutant -> ALONE.contains(mutant.clause()));
        } finally {
            before.forEach((property, value) -> {
                if (value == null) {
                    System.clearProperty(property);
                } else {
                    System.setProperty(property, value);
                }
            });
        }
        if (IS_WHOLE) {
            Files.write(
                    Path.of(MATRIX),
                    chosenMutants().map(KitCatchesMutantsTest::line).toList());
        }
    }

    private static boolean isOfTheProperty(Mutant mutant) {
        return mutant.clause().startsWith("2.");
    }

    private static void test(int atOnce, Predicate<Mutant> which) throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newFixedThreadPool(atOnce)) {
            List<Future<Verdict>> all = new ArrayList<>();
            for (Mutant mutant : chosenMutants().filter(which).toList()) {
                all.add(threads.submit(() -> VERDICTS.computeIfAbsent(mutant.fault(), fault -> verdict(mutant))));
            }
            for (Future<Verdict> one : all) {
                one.get();
            }
        }
    }

    private static String line(Mutant mutant) {
        Verdict verdict = verdictOf(mutant);
        return String.join(
                "\t",
                mutant.fault(),
                mutant.clause(),
                String.join(" ", verdict.failing()),
                verdict.first().replaceAll("\\s+", " "));
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
                        ArgumentMutants.all(),
                        OptionMutants.all(),
                        LongDataMutants.moves(),
                        LongDataMutants.ways(),
                        LongDataMutants.large(),
                        DeferredReadMutants.all(),
                        CountMutants.all(),
                        CallerMemoryMutants.all(),
                        ReadHandleMutants.all(),
                        FloatMutants.all(),
                        FloatMutants.mirrors(),
                        ExampleMutants.all(),
                        OutsideMutants.all(),
                        SequenceMutants.all())
                .flatMap(List::stream);
    }

    /**
     * The mutants that name the clause of {@value #CLAUSE}, else all. Those of 8.4 only on request: what the process
     * frees meanwhile may hide what they keep.
     */
    static Stream<Mutant> chosenMutants() {
        String clause = System.getProperty(CLAUSE);
        return mutants()
                .filter(mutant -> clause == null
                        ? IS_WHOLE || !mutant.clause().equals(FOOTPRINT)
                        : mutant.clause().equals(clause));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("chosenMutants")
    void namedClauseFailsFirst(Mutant mutant) {
        Verdict verdict = verdictOf(mutant);
        assertThat(verdict.failing())
                .as("what fails on '%s'; the first says: %s", mutant.fault(), verdict.first())
                .startsWith(mutant.clause());
        assertThat(verdict.first()).as("message of clause %s", mutant.clause()).contains(mutant.text());
    }

    private static Verdict verdict(Mutant mutant) {
        Subject subject = Subject.of(mutant.provider().get()).getFirst();
        List<String> failing = new ArrayList<>();
        String first = "";
        for (Method test : IN_ORDER) {
            String clause = clause(test).id();
            if (IS_WHOLE || clause.equals(mutant.clause())) {
                Optional<String> failure = failure(test, subject, mutant);
                if (failure.isPresent()) {
                    first = failing.isEmpty() ? failure.get() : first;
                    failing.add(clause);
                }
            }
        }
        return new Verdict(failing, first);
    }

    private static Verdict verdictOf(Mutant mutant) {
        return Objects.requireNonNull(VERDICTS.get(mutant.fault()), mutant.fault());
    }

    private static Clause clause(Method test) {
        return Clause.ofTest(test.getName()).orElseThrow();
    }

    /** Tests a clause, without what JUnit does around it; what it throws, or empty. */
    private static Optional<String> failure(Method test, Subject subject, Mutant mutant) {
        OnMutant instance = new OnMutant();
        instance.test(subject, false);
        Meeting.arm(clause(test).id().equals(mutant.clause()));
        try {
            test.invoke(instance);
            return Optional.empty();
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause();
            return thrown instanceof TestAbortedException
                    ? Optional.empty()
                    : Optional.of(thrown instanceof AssertionError ? "" + thrown.getMessage() : "threw " + thrown);
        } catch (IllegalAccessException e) {
            throw new AssertionError(test + ": expected access, got " + e, e);
        } finally {
            Meeting.arm(false);
        }
    }

    @Test
    void mutantsAreManyAndDistinct() {
        assertThat(mutants()).hasSizeGreaterThan(500);
        assertThat(mutants().map(Mutant::fault)).doesNotHaveDuplicates();
    }

    /** A stochastic clause may miss a fault, and so has none where it cannot be made to meet it. */
    @Test
    void everyOtherClauseHasAMutant() {
        TreeSet<Clause> unbroken = new TreeSet<>(KitFollowsSpecificationTest.ofTheKit());
        mutants().forEach(mutant -> unbroken.removeIf(clause -> mutant.clause().equals(clause.id())));
        assertThat(unbroken.stream().map(Clause::test)).allMatch(test -> test.startsWith("stochastic_"));
    }
}
