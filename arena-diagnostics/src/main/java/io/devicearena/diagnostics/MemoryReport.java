package io.devicearena.diagnostics;

import io.devicearena.diagnostics.internal.tracking.OpenMemories;
import io.devicearena.diagnostics.internal.tracking.OpenMemory;
import io.devicearena.spi.memory.MemoryFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The memory that the arenas of this process use. Views add nothing: they share the memory of their arena.
 *
 * <p>Excludes buffers made by kernels, and {@code allocateHost} memory on devices that do not use it as staging.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param arenas every open arena, in the order of opening. The memory of an arena that is closed is listed as long as
 *     views use it
 * @param devices the devices of these arenas, in the same order
 */
public record MemoryReport(List<ArenaMemory> arenas, List<DeviceMemory> devices) {
    /** The name of the MBean: {@value}. */
    public static final String MBEAN_NAME = "io.devicearena:type=MemoryReport";

    /** Makes a report; the lists are copied. */
    public MemoryReport {
        arenas = List.copyOf(arenas);
        devices = List.copyOf(devices);
    }

    /** {@return the report of this moment} */
    public static MemoryReport now() {
        long now = System.nanoTime();
        List<ArenaMemory> arenas = new ArrayList<>();
        Map<List<Object>, DeviceMemory> devices = new LinkedHashMap<>();
        for (OpenMemory memory : OpenMemories.all()) {
            MemoryFigures figures = memory.figures().get();
            ArenaMemory arena = arena(memory, figures, now);
            arenas.add(arena);
            devices.merge(
                    List.of(arena.device().provider(), arena.device().index()),
                    new DeviceMemory(
                            arena.device(),
                            1,
                            arena.bytes(),
                            arena.shadowBytes(),
                            figures.stagingBytes(),
                            figures.peakStagingBytes()),
                    MemoryReport::together);
        }
        return new MemoryReport(arenas, List.copyOf(devices.values()));
    }

    private static ArenaMemory arena(OpenMemory memory, MemoryFigures figures, long now) {
        return new ArenaMemory(
                memory.arena().label(),
                memory.arena().device(),
                memory.arena().bytes(),
                memory.arena().segments(),
                figures.shadowBytes(),
                memory.uses().getAsInt(),
                Duration.ofNanos(Math.max(0, now - memory.openedNanos())),
                memory.place() == null
                        ? List.of()
                        : Arrays.asList(memory.place().getStackTrace()));
    }

    /** Each arena of a device has all of its staging. */
    private static DeviceMemory together(DeviceMemory one, DeviceMemory other) {
        return new DeviceMemory(
                one.device(),
                one.arenas() + other.arenas(),
                one.arenaBytes() + other.arenaBytes(),
                one.shadowBytes() + other.shadowBytes(),
                Math.max(one.stagingBytes(), other.stagingBytes()),
                Math.max(one.peakStagingBytes(), other.peakStagingBytes()));
    }

    /** {@return the sizes of all arenas together, in bytes} */
    public long arenaBytes() {
        return devices.stream().mapToLong(DeviceMemory::arenaBytes).sum();
    }

    /** {@return the sizes of all f16 shadows together, in bytes} */
    public long shadowBytes() {
        return devices.stream().mapToLong(DeviceMemory::shadowBytes).sum();
    }

    /** {@return the staging of all devices together, in bytes} */
    public long stagingBytes() {
        return devices.stream().mapToLong(DeviceMemory::stagingBytes).sum();
    }

    /**
     * Returns the report as text: a line for each device and each arena, under a line with the names of the columns.
     *
     * @return the lines, without line ends
     */
    public List<String> table() {
        return ReportTable.of(this);
    }

    /**
     * Registers an MBean named {@value #MBEAN_NAME} with the platform's server; its attributes are those of {@link
     * MemoryReportMXBean}. Does nothing if one is registered.
     *
     * @throws UnsupportedOperationException if this Java has no module {@code java.management}
     */
    public static void registerMBean() {
        requireManagement();
        MemoryReportBean.register();
    }

    /**
     * Removes the MBean that {@link #registerMBean} registered. Does nothing if there is none.
     *
     * @throws UnsupportedOperationException if this Java has no module {@code java.management}
     */
    public static void unregisterMBean() {
        requireManagement();
        MemoryReportBean.unregister();
    }

    private static void requireManagement() {
        if (ModuleLayer.boot().findModule("java.management").isEmpty()) {
            throw new UnsupportedOperationException(
                    "MBean: expected the module java.management, which is not there; start Java with --add-modules"
                            + " java.management");
        }
    }
}
