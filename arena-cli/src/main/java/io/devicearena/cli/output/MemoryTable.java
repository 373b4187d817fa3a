package io.devicearena.cli.output;

import io.devicearena.cli.json.JsonFields;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.diagnostics.ArenaMemory;
import io.devicearena.diagnostics.DeviceMemory;
import io.devicearena.diagnostics.MemoryReport;

/**
 * The report of the memory of open arenas, as {@code run --report-memory} prints it.
 *
 * <p><b>Threads:</b> immutable; it writes to one target at a time.
 *
 * @param report the report
 */
public record MemoryTable(MemoryReport report) {
    /**
     * Writes the field {@code memory}.
     *
     * @param json where it is written
     */
    public void json(JsonFields json) {
        json.put(
                "memory",
                new JsonFields()
                        .put(
                                "devices",
                                report.devices().stream()
                                        .map(MemoryTable::device)
                                        .toList())
                        .put(
                                "arenas",
                                report.arenas().stream().map(MemoryTable::arena).toList()));
    }

    private static JsonFields device(DeviceMemory device) {
        return new JsonFields()
                .put("provider", device.device().provider())
                .put("device", device.device().name())
                .put("arenas", device.arenas())
                .put("arenaBytes", device.arenaBytes())
                .put("shadowBytes", device.shadowBytes())
                .put("stagingBytes", device.stagingBytes())
                .put("peakStagingBytes", device.peakStagingBytes());
    }

    private static JsonFields arena(ArenaMemory arena) {
        return new JsonFields()
                .put("label", arena.label())
                .put("provider", arena.device().provider())
                .put("device", arena.device().name())
                .put("bytes", arena.bytes())
                .put("segments", arena.segments())
                .put("shadowBytes", arena.shadowBytes())
                .put("uses", arena.uses())
                .put("ageMillis", arena.age().toMillis())
                .put("openedAt", arena.openedAt());
    }

    /**
     * Prints the table.
     *
     * @param out where it is printed
     */
    public void text(TextLines out) {
        for (String line : report.table()) {
            out.println(TerminalText.line(line));
        }
    }
}
