package io.devicearena.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.diagnostics.internal.DiagnosticObserver;
import io.devicearena.spi.memory.MemoryFigures;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the report says of open arenas. */
class MemoryReportTest {
    private static final String LEAKS = "devicearena.leaks";
    private static final NodeId LEFT = NodeId.of(1);
    private static final MemoryPlan PLAN = new MemoryPlan(64, Map.of(LEFT, new BufferSlot(0, 64)), List.of(LEFT));

    /** Each arena of a device reports all of its staging. */
    private static final MemoryFigures FIGURES = new MemoryFigures(32, 1000, 4000);

    @AfterEach
    void reset() {
        System.clearProperty(LEAKS);
        MemoryReport.unregisterMBean();
    }

    private static DeviceArena open(String label) {
        return open(label, () -> {});
    }

    private static DeviceArena open(String label, Runnable close) {
        return new TestProvider(FIGURES, close)
                .openArena(TestProvider.DEVICE, PLAN, ArenaOptions.defaults().withLabel(label));
    }

    private static List<ArenaMemory> listed(String label) {
        return MemoryReport.now().arenas().stream()
                .filter(arena -> arena.label().equals(label))
                .toList();
    }

    private static DeviceMemory device() {
        return MemoryReport.now().devices().stream()
                .filter(device -> device.device().equals(TestProvider.DEVICE))
                .findFirst()
                .orElse(new DeviceMemory(TestProvider.DEVICE, 0, 0, 0, 0, 0));
    }

    @Test
    void openArena_isListedUntilItIsClosed() {
        try (DeviceArena arena = open("listed")) {
            assertThat(listed("listed")).singleElement().satisfies(memory -> {
                assertThat(memory.device()).isEqualTo(arena.device());
                assertThat(memory.bytes()).isEqualTo(64);
                assertThat(memory.segments()).isEqualTo(1);
                assertThat(memory.shadowBytes()).isEqualTo(32);
                assertThat(memory.uses()).isEqualTo(1);
                assertThat(memory.age()).isGreaterThanOrEqualTo(Duration.ZERO);
                assertThat(memory.openedAt()).isEmpty();
            });
        }
        assertThat(listed("listed")).isEmpty();
    }

    @Test
    void views_shareTheMemoryOfTheirArena() {
        DeviceArena arena = open("shared");
        DeviceArena view = arena.view(PLAN);
        assertThat(listed("shared"))
                .singleElement()
                .satisfies(memory -> assertThat(memory.uses()).isEqualTo(2));
        arena.close();
        assertThat(listed("shared"))
                .singleElement()
                .satisfies(memory -> assertThat(memory.uses()).isEqualTo(1));
        view.close();
        assertThat(listed("shared")).isEmpty();
    }

    @Test
    void devices_sumTheirArenasAndCountStagingOnce() {
        DeviceMemory before = device();
        try (DeviceArena first = open("first");
                DeviceArena second = open("second")) {
            assertThat(first.sizeBytes() + second.sizeBytes()).isEqualTo(128);
            assertThat(device())
                    .isEqualTo(new DeviceMemory(
                            TestProvider.DEVICE,
                            before.arenas() + 2,
                            before.arenaBytes() + 128,
                            before.shadowBytes() + 64,
                            1000,
                            4000));
        }
    }

    @Test
    void memoryThatCannotBeFreed_staysListed() {
        boolean[] busy = {true};
        DeviceArena arena = open("busy", () -> {
            if (busy[0]) {
                throw new IllegalStateException("busy");
            }
        });
        assertThatThrownBy(arena::close).hasMessage("busy");
        assertThat(listed("busy")).hasSize(1);
        busy[0] = false;
        arena.close();
        assertThat(listed("busy")).isEmpty();
    }

    @Test
    void leaksAll_recordsTheCallerThatOpened() {
        System.setProperty(LEAKS, "ALL");
        try (DeviceArena arena = open("placed")) {
            assertThat(arena.isOpen()).isTrue();
            assertThat(listed("placed")).singleElement().satisfies(memory -> {
                StackTraceElement caller = memory.openedAt().getFirst();
                assertThat(caller.getClassName()).isEqualTo(MemoryReportTest.class.getName());
                assertThat(caller.getMethodName()).isEqualTo("open");
            });
        }
    }

    @Test
    void leaksSampled_recordsSomeCallers() {
        System.setProperty(LEAKS, "sampled");
        int recorded = 0;
        for (int i = 0; i < 128; i++) {
            try (DeviceArena arena = open("sampled")) {
                assertThat(arena.isOpen()).isTrue();
                recorded += listed("sampled").getFirst().openedAt().isEmpty() ? 0 : 1;
            }
        }
        assertThat(recorded).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"some", "1", "all,off"})
    void unknownLevel_isRefusedBeforeMemoryIsAllocated(String level) {
        System.setProperty(LEAKS, level);
        assertThatThrownBy(() -> new DiagnosticObserver().watch(64, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("property devicearena.leaks: expected one of off, sampled, all, got '" + level
                        + "'; set it to one of these, or do not set it");
    }

    @Test
    void table_hasALineForEachDeviceAndArena() {
        try (DeviceArena arena = open("in a table")) {
            assertThat(arena.isOpen()).isTrue();
            assertThat(MemoryReport.now().table())
                    .anyMatch(line -> line.matches("third: byte array {15} +[\\d,]+ +[\\d,]+ +[\\d,]+ +1,000 +4,000"))
                    .anyMatch(line ->
                            line.matches("in a table {15}byte array +64 +1 +32 +1 +[\\d,.]+ s {2}not recorded"));
        }
    }

    @Test
    void mbean_hasTheSumsOfTheReport() throws JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName(MemoryReport.MBEAN_NAME);
        MemoryReport.registerMBean();
        MemoryReport.registerMBean();
        try (DeviceArena arena = open("bean")) {
            assertThat(arena.isOpen()).isTrue();
            MemoryReport report = MemoryReport.now();
            assertThat(server.getAttribute(name, "ArenaCount"))
                    .isEqualTo(report.arenas().size());
            assertThat(server.getAttribute(name, "ArenaBytes")).isEqualTo(report.arenaBytes());
            assertThat(server.getAttribute(name, "ShadowBytes")).isEqualTo(report.shadowBytes());
            assertThat(server.getAttribute(name, "StagingBytes")).isEqualTo(report.stagingBytes());
            assertThat((String[]) server.getAttribute(name, "Table")).anyMatch(line -> line.startsWith("bean "));
        }
        MemoryReport.unregisterMBean();
        MemoryReport.unregisterMBean();
        assertThat(server.isRegistered(name)).isFalse();
    }
}
