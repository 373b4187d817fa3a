package io.devicearena.diagnostics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes a report as text. Threads: static and stateless; safe for any thread. */
final class ReportTable {
    private ReportTable() {}

    static List<String> of(MemoryReport report) {
        List<String> lines = new ArrayList<>();
        lines.add(deviceRow("device", "arenas", "arena bytes", "shadow bytes", "staging bytes", "peak staging"));
        for (DeviceMemory device : report.devices()) {
            lines.add(deviceRow(
                    device.device().provider() + ": " + device.device().name(),
                    count(device.arenas()),
                    count(device.arenaBytes()),
                    count(device.shadowBytes()),
                    count(device.stagingBytes()),
                    count(device.peakStagingBytes())));
        }
        lines.add(arenaRow("arena", "device", "bytes", "segments", "shadow bytes", "uses", "age", "opened at"));
        for (ArenaMemory arena : report.arenas()) {
            lines.add(arenaRow(
                    arena.label(),
                    arena.device().name(),
                    count(arena.bytes()),
                    count(arena.segments()),
                    count(arena.shadowBytes()),
                    count(arena.uses()),
                    seconds(arena.age()),
                    arena.openedAt().isEmpty()
                            ? "not recorded"
                            : arena.openedAt().getFirst().toString()));
        }
        return List.copyOf(lines);
    }

    private static String deviceRow(Object... cells) {
        return String.format(Locale.ROOT, "%-32s %6s %17s %17s %17s %17s", cells)
                .stripTrailing();
    }

    private static String arenaRow(Object... cells) {
        return String.format(Locale.ROOT, "%-24s %-24s %17s %8s %17s %4s %10s  %s", cells)
                .stripTrailing();
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String seconds(Duration age) {
        return String.format(Locale.ROOT, "%,.1f s", age.toMillis() / 1e3);
    }
}
