package io.devicearena.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/** Which devices a run tests, what it skips, and when it fails as a whole. */
class KitRunTest {
    private static final String FIRST = "required_1_1_sizeIsPlanPlusScratch";

    private static EngineExecutionResults run(String required, DiscoverySelector... selectors) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectors)
                .configurationParameter(Requirement.PARAMETER, required)
                .execute();
    }

    private static List<String> messages(Events events) {
        return events.stream().map(KitRunTest::message).toList();
    }

    private static String message(Event event) {
        return event.getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .map(Throwable::getMessage)
                .orElse("");
    }

    /** Not available, as on a machine without a driver. */
    static class OnMissing extends DeviceArenaConformance {
        @Override
        protected DeviceArenaProvider provider() {
            return new Missing();
        }
    }

    /** Not available. */
    public static final class Missing extends ReferenceProvider {
        /** Called by the kit too. */
        public Missing() {}

        @Override
        public Availability probe() {
            return new Availability.Missing("no driver was found", "install one");
        }
    }

    @Test
    void missingProviderIsSkippedWithItsReason() {
        Events tests = run("", selectMethod(OnMissing.class, FIRST)).testEvents();
        assertThat(messages(tests.aborted()))
                .containsExactly("not available: provider 'reference': no driver was found; install one");
        assertThat(tests.failed().count()).isZero();
    }

    @Test
    void missingProviderThatIsRequiredFails() {
        Events tests =
                run("cpu, reference", selectMethod(OnMissing.class, FIRST)).testEvents();
        assertThat(messages(tests.failed()))
                .containsExactly("clause 1.1 sizeIsPlanPlusScratch, provider 'reference', not available:"
                        + " required but not available, provider 'reference': no driver was found; install one");
    }

    @Test
    void missingProviderRunsTheClausesAboutItself() {
        Events tests = run("", selectClass(OnMissing.class)).testEvents();
        assertThat(tests.succeeded().stream()
                        .map(event -> event.getTestDescriptor().getDisplayName()))
                .containsExactly("required_15_1_nameAndVersionAreFixed()", "required_15_2_probeAlwaysAnswers()");
        assertThat(tests.failed().count()).isZero();
    }

    /** Given providers instead of those on the path. */
    abstract static class Discovered extends DiscoveredProvidersConformance {
        abstract List<DeviceArenaProvider> found();

        @Override
        protected List<DeviceArenaProvider> providers() {
            return found();
        }
    }

    static class NoneFound extends Discovered {
        @Override
        List<DeviceArenaProvider> found() {
            return List.of();
        }
    }

    static class NoneAvailable extends Discovered {
        @Override
        List<DeviceArenaProvider> found() {
            return List.of(new Missing());
        }
    }

    static class OneOfTwoAvailable extends Discovered {
        @Override
        List<DeviceArenaProvider> found() {
            return List.of(new Missing(), new TwoDevices());
        }
    }

    /** A host memory and one without any capability. */
    public static final class TwoDevices extends ReferenceProvider {
        /** Called by the kit too. */
        public TwoDevices() {}

        @Override
        public Availability probe() {
            ArenaDevice right = device(1, "plain memory");
            return new Availability.Ready(List.of(
                    device(0, "small memory"),
                    new ArenaDevice(
                            NAME,
                            1,
                            right.name(),
                            right.description(),
                            right.kind(),
                            right.priority(),
                            right.limits(),
                            Set.of())));
        }
    }

    private static String containerFailure(EngineExecutionResults run) {
        assertThat(run.testEvents().started().count()).isZero();
        return String.join("", messages(run.containerEvents().failed()));
    }

    @Test
    void runWithoutAnyProviderFails() {
        assertThat(containerFailure(run("", selectClass(NoneFound.class))))
                .isEqualTo("no provider was found; add one to the class path or module path");
    }

    @Test
    void runWithoutAnAvailableProviderFails() {
        assertThat(containerFailure(run("", selectClass(NoneAvailable.class))))
                .isEqualTo("no provider is available: 'reference' (no driver was found; install one)");
    }

    @Test
    void requiredProviderThatIsNotOnThePathFails() {
        assertThat(containerFailure(run("wgpu,reference", selectClass(OneOfTwoAvailable.class))))
                .isEqualTo(
                        "DEVICEARENA_REQUIRE names providers that were not found: wgpu; add them to the class path or"
                                + " module path");
    }

    @Test
    void everyDeviceIsTestedUnderItsName() {
        EngineExecutionResults run = run("", selectMethod(OneOfTwoAvailable.class, FIRST));
        assertThat(run.containerEvents().started().stream()
                        .map(event -> event.getTestDescriptor().getDisplayName()))
                .contains(
                        "provider 'reference', not available",
                        "provider 'reference', device 0 'small memory'",
                        "provider 'reference', device 1 'plain memory'");
        assertThat(run.testEvents().succeeded().count()).isEqualTo(2);
        assertThat(run.testEvents().aborted().count()).isEqualTo(1);
    }

    @Test
    void undeclaredCapabilityIsReportedAndCounted() {
        EngineExecutionResults run = run(
                "",
                selectMethod(OneOfTwoAvailable.class, "optional_10_4_segmentIsTheArena"),
                selectMethod(OneOfTwoAvailable.class, "stochastic_14_6_arenaMayBeLargerThanABinding"));
        assertThat(messages(run.testEvents().aborted()))
                .containsExactlyInAnyOrder(
                        "not available: provider 'reference': no driver was found; install one",
                        "not available: provider 'reference': no driver was found; install one",
                        "unsupported: needs " + Capability.HOST_MEMORY
                                + ", which provider 'reference', device 1 'plain memory' does not declare");
        assertThat(run.allEvents().reportingEntryPublished().stream()
                        .map(event -> event.getRequiredPayload(ReportEntry.class)
                                .getKeyValuePairs()
                                .get("conformance")))
                .contains(
                        "provider 'reference', not available: 0 passed, 0 failed, 0 unsupported, 0 left out,"
                                + " 2 not available",
                        "provider 'reference', device 0 'small memory': 2 passed, 0 failed, 0 unsupported,"
                                + " 0 left out, 0 not available",
                        "provider 'reference', device 1 'plain memory': 1 passed, 0 failed, 1 unsupported,"
                                + " 0 left out, 0 not available");
    }

    /** Does something in each flush. */
    abstract static class Flushing extends ReferenceProvider {
        abstract void flushed() throws IOException, InterruptedException;

        @Override
        ReferenceArena arena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
            return new ReferenceArena(device, plan, options, geometry) {
                @Override
                void flushed() {
                    try {
                        Flushing.this.flushed();
                    } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException("flush: expected an end, got " + e, e);
                    }
                }
            };
        }
    }

    /** Keeps what the kit has written down by the time of a flush. */
    public static final class Looking extends Flushing {
        static volatile String running = "";

        /** Called by the kit too. */
        public Looking() {}

        @Override
        void flushed() throws IOException {
            running = Files.readString(Path.of("target", "conformance-running.txt"));
        }
    }

    static class OnLooking extends DeviceArenaConformance {
        @Override
        protected DeviceArenaProvider provider() {
            return new Looking();
        }
    }

    /** Hangs in each flush. */
    public static final class Hanging extends Flushing {
        /** Called by the kit too. */
        public Hanging() {}

        @Override
        void flushed() throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }

    /** Seconds instead of minutes; the hook is reached within some milliseconds. */
    @Timeout(value = 3, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    static class OnHanging extends DeviceArenaConformance {
        @Override
        protected DeviceArenaProvider provider() {
            return new Hanging();
        }
    }

    @Test
    void hangIsReportedWithTheStacksOfAllThreads() {
        Thread other = new Thread(LockSupport::park, "another thread of the process");
        other.setDaemon(true);
        other.start();
        while (other.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        Events tests = run("", selectMethod(OnHanging.class, "required_8_1_everyCallAfterCloseThrows"))
                .testEvents();
        LockSupport.unpark(other);
        assertThat(messages(tests.failed()))
                .containsExactly(
                        "clause 8.1 everyCallAfterCloseThrows, provider 'reference', device 0 'small memory': expected"
                                + " an end in time, got none; the stacks of all threads are below");
        StringWriter trace = new StringWriter();
        tests.failed().stream()
                .findFirst()
                .orElseThrow()
                .getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .orElseThrow()
                .printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString())
                .contains(
                        "KitRunTest$Hanging.flushed(",
                        "'another thread of the process' (WAITING)",
                        "LockSupport.park(");
    }

    @Test
    void runningClauseIsWrittenAheadAndDeletedAfterwards() {
        run("", selectMethod(OnLooking.class, "required_8_1_everyCallAfterCloseThrows"));
        assertThat(Looking.running)
                .isEqualTo("clause 8.1 everyCallAfterCloseThrows, provider 'reference', device 0 'small memory'\n");
        assertThat(Path.of("target", "conformance-running.txt")).doesNotExist();
    }
}
