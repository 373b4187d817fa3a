package io.devicearena.conformance.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.conformance.junit.Clause;
import io.devicearena.conformance.junit.ClauseResult;
import io.devicearena.conformance.junit.Outcome;
import io.devicearena.diagnostics.MemoryReport;
import io.devicearena.discovery.ProviderReport;
import io.devicearena.discovery.ProviderUnavailableException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConformanceRunnerTest {
    private static final ConformanceProgress SILENT = (clause, done, total) -> {};

    /** Enough to see what a run does; the backends' own builds run every clause. */
    private static boolean geometry(Clause clause) {
        return clause.group() == 1 || List.of("4.1", "14.6").contains(clause.id());
    }

    private static ConformanceReport run(List<FoundProvider> found, Optional<String> provider, String... required)
            throws IOException {
        return ConformanceRunner.run(
                found,
                ConformanceRunnerTest::geometry,
                new ConformanceRequest(provider, List.of(required), Optional.empty()),
                SILENT);
    }

    private static ConformanceReport run(HeapProvider... providers) throws IOException {
        return run(HeapProvider.all(providers), Optional.empty());
    }

    private static List<String> failed(DeviceResult device) {
        return device.clauses().stream()
                .filter(result -> result.outcome() == Outcome.FAILED)
                .map(result -> result.clause().id())
                .toList();
    }

    @Test
    void everyDeviceOfEveryProviderIsTested() throws IOException {
        ConformanceReport report = run(HeapProvider.sound("two", "left", "right"), HeapProvider.broken("bad", "only"));
        assertThat(report.devices()).extracting(DeviceResult::id).containsExactly("two/0", "two/1", "bad/0");
        assertThat(report.devices())
                .allSatisfy(device -> assertThat(device.clauses())
                        .hasSameSizeAs(report.devices().getFirst().clauses()));
        assertThat(failed(report.devices().get(0))).isEmpty();
        assertThat(failed(report.devices().get(1))).isEmpty();
        assertThat(failed(report.devices().get(2))).contains("4.1");
        assertThat(report.problems()).isEmpty();
        assertThat(report.ok()).isFalse();
        assertThat(report.providers().get(0).tally().conforms()).isTrue();
        assertThat(report.providers().get(1).tally().conforms()).isFalse();
    }

    @Test
    void failureNamesClauseProviderDeviceAndPosition() throws IOException {
        ConformanceReport report = run(HeapProvider.broken("bad", "only"));
        ClauseResult failure = report.results()
                .filter(result -> result.clause().id().equals("4.1"))
                .findFirst()
                .orElseThrow();
        assertThat(failure.message())
                .startsWith("clause 4.1 rangesOutsideAreRefused, provider 'bad', device 0 'only': ");
        assertThat(failure.trace())
                .contains("RawRangeConformance.required_4_1_rangesOutsideAreRefused")
                .startsWith("org.opentest4j.AssertionFailedError: a write after refused calls")
                .doesNotContain("java.lang.reflect");
    }

    /** Else each prints a warning when the garbage collector meets it, behind the verdict. */
    @Test
    void failedClausesLeaveNoArenaOpen() throws IOException {
        ConformanceReport report = ConformanceRunner.run(
                HeapProvider.all(HeapProvider.broken("bad", "left open")),
                clause -> true,
                new ConformanceRequest(Optional.empty(), List.of(), Optional.empty()),
                SILENT);
        assertThat(failed(report.devices().getFirst())).contains("7.5", "8.3", "9.1", "9.9", "10.2", "15.5");
        assertThat(MemoryReport.now().table()).noneMatch(line -> line.contains("left open"));
    }

    /** Its arenas say that they are closed, and go on working. */
    private static final class WorksWhenClosed extends HeapProvider {
        WorksWhenClosed() {
            super("works", ready("works", "when closed"), 0);
        }

        @Override
        public DeviceArena openArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
            DeviceArena arena = super.openArena(device, plan, options);
            AtomicBoolean open = new AtomicBoolean(true);
            return (DeviceArena) Proxy.newProxyInstance(
                    DeviceArena.class.getClassLoader(),
                    new Class<?>[] {DeviceArena.class},
                    (proxy, method, args) -> switch (method.getName()) {
                        case "isOpen" -> open.get();
                        case "close" -> {
                            open.set(false);
                            yield null;
                        }
                        default -> invoke(method, arena, args);
                    });
        }

        private static Object invoke(Method method, DeviceArena arena, Object[] args) throws Throwable {
            try {
                return method.invoke(arena, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    /** Clause 8.1 fails on such arenas; these must not wait for callers that nothing stops. */
    @Test
    void racesOfACloseEnd_whenCallsWorkAfterIt() throws IOException {
        WorksWhenClosed provider = new WorksWhenClosed();
        ConformanceReport report = ConformanceRunner.run(
                List.of(new FoundProvider(
                        new ProviderReport(provider.name(), "WorksWhenClosed", provider.probe()),
                        Optional.of(provider))),
                clause -> List.of("9.9", "9.10").contains(clause.id()),
                new ConformanceRequest(Optional.empty(), List.of(), Optional.empty()),
                SILENT);
        assertThat(failed(report.devices().getFirst())).isEmpty();
    }

    @Test
    void untestedClausesAreCountedSeparatelyWithTheirReason() throws IOException {
        ConformanceReport report = run(HeapProvider.sound("small", "one"));
        ClauseResult tooLarge = report.results()
                .filter(result -> result.clause().id().equals("14.6"))
                .findFirst()
                .orElseThrow();
        assertThat(tooLarge.outcome()).isEqualTo(Outcome.LEFT_OUT);
        assertThat(tooLarge.message())
                .isEqualTo("left out: provider 'small', device 0 'one', a binding of it covers its largest arena");
        assertThat(report.ok()).isTrue();
    }

    @Test
    void progressEndsAtTheNumberOfResults() throws IOException {
        List<String> reported = new ArrayList<>();
        ConformanceReport report = ConformanceRunner.run(
                HeapProvider.all(HeapProvider.sound("two", "left", "right"), HeapProvider.missing("gone")),
                ConformanceRunnerTest::geometry,
                new ConformanceRequest(Optional.empty(), List.of(), Optional.empty()),
                (clause, done, total) -> reported.add(clause + " " + done + " " + total));
        int results = report.tally().total();
        assertThat(reported).hasSize(results).first().isEqualTo("two 1.1 sizeIsPlanPlusScratch 1 " + results);
        assertThat(reported.getLast()).endsWith(" " + results + " " + results);
    }

    @Test
    void missingProviderIsReportedAndIsNoFailure() throws IOException {
        ConformanceReport report = run(HeapProvider.sound("small", "one"), HeapProvider.missing("gone"));
        assertThat(report.ok()).isTrue();
        ProviderResult gone = report.providers().get(1);
        assertThat(gone.tally().count(Outcome.NOT_AVAILABLE)).isPositive();
        assertThat(gone.tally().count(Outcome.FAILED)).isZero();
        assertThat(gone.devices()).singleElement().satisfies(device -> {
            assertThat(device.id()).isEqualTo("gone");
            assertThat(device.clauses().getFirst().message())
                    .isEqualTo("not available: provider 'gone': there is no heap; buy one");
        });
    }

    @Test
    void missingRequiredProviderIsOneProblem() throws IOException {
        ConformanceReport report = run(
                HeapProvider.all(HeapProvider.sound("small", "one"), HeapProvider.missing("gone")),
                Optional.of("small"),
                "small",
                "gone",
                "nowhere");
        assertThat(report.problems())
                .containsExactly(
                        "required provider 'gone' is not available: there is no heap; buy one",
                        "required provider 'nowhere' was not found. Providers found: small, gone; put its jar on the"
                                + " path");
        assertThat(report.tally().count(Outcome.FAILED)).isZero();
        assertThat(report.ok()).isFalse();
    }

    @Test
    void providerThatCouldNotBeLoadedIsAProblem_othersAreTested() throws IOException {
        ConformanceReport report = run(
                List.of(
                        HeapProvider.notLoaded("broken"),
                        HeapProvider.sound("small", "one").found()),
                Optional.empty());
        assertThat(report.problems())
                .containsExactly("provider 'broken' (com.example.Gone) cannot be used: no such class; add its jar");
        assertThat(report.providers().get(1).tally().conforms()).isTrue();
        assertThat(report.ok()).isFalse();
    }

    @Test
    void runWithoutDevicesIsAProblem() throws IOException {
        assertThat(run().problems()).containsExactly("no provider was found; add one to the class path or module path");
        ConformanceReport missing = run(HeapProvider.missing("gone"));
        assertThat(missing.problems()).containsExactly("no provider is available: 'gone' (there is no heap; buy one)");
        assertThat(missing.ok()).isFalse();
    }

    @Test
    void unknownNameIsRefused() {
        assertThatThrownBy(() -> run(HeapProvider.all(HeapProvider.sound("small", "one")), Optional.of("tpu")))
                .isInstanceOf(ProviderUnavailableException.class)
                .hasMessage("provider 'tpu' was not found. Providers found: small; put its jar on the path");
    }

    @Test
    void onlyTheNamedProviderIsTested() throws IOException {
        ConformanceReport report = run(
                HeapProvider.all(HeapProvider.broken("bad", "only"), HeapProvider.sound("small", "one")),
                Optional.of("small"));
        assertThat(report.devices()).extracting(DeviceResult::id).containsExactly("small/0");
        assertThat(report.ok()).isTrue();
    }

    @Test
    void reportFolderHasThePageAndTheReportsOfJUnit(@TempDir Path folder) throws IOException {
        Path reports = folder.resolve("new").resolve("reports");
        ConformanceRunner.run(
                HeapProvider.all(HeapProvider.sound("small", "left", "right")),
                ConformanceRunnerTest::geometry,
                new ConformanceRequest(Optional.empty(), List.of(), Optional.of(reports)),
                SILENT);
        assertThat(reports.resolve("index.html")).content().contains("Every tested clause holds on small/0, small/1");
        assertThat(reports.resolve("open-test-report.xml"))
                .content()
                .contains("name=\"provider 'small', device 0 'left'\"")
                .contains("name=\"provider 'small', device 1 'right'\"");
        assertThat(reports.resolve("TEST-junit-jupiter.xml")).content().contains("required_1_1_sizeIsPlanPlusScratch");
        try (Stream<Path> files = Files.list(reports)) {
            assertThat(files).hasSize(3);
        }
    }

    @Test
    void namesAreReadFromAListWithBlanks() {
        assertThat(ConformanceRequest.names(" cpu, ,wgpu,cpu ")).containsExactly("cpu", "wgpu", "cpu");
        assertThat(ConformanceRequest.names(" ")).isEmpty();
        assertThat(new ConformanceRequest(Optional.empty(), List.of("cpu", "wgpu", "cpu"), Optional.empty()).required())
                .containsExactly("cpu", "wgpu");
    }
}
