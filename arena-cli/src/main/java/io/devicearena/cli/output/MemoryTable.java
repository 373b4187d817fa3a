package io.devicearena.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.diagnostics.ArenaMemory;
import io.devicearena.diagnostics.DeviceMemory;
import io.devicearena.diagnostics.MemoryReport;
import java.io.IOException;
import java.io.PrintWriter;

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
     * @throws IOException if writing fails
     */
    public void json(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("memory");
        json.writeArrayFieldStart("devices");
        for (DeviceMemory device : report.devices()) {
            json.writeStartObject();
            json.writeStringField("provider", device.device().provider());
            json.writeStringField("device", device.device().name());
            json.writeNumberField("arenas", device.arenas());
            json.writeNumberField("arenaBytes", device.arenaBytes());
            json.writeNumberField("shadowBytes", device.shadowBytes());
            json.writeNumberField("stagingBytes", device.stagingBytes());
            json.writeNumberField("peakStagingBytes", device.peakStagingBytes());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("arenas");
        for (ArenaMemory arena : report.arenas()) {
            json.writeStartObject();
            json.writeStringField("label", arena.label());
            json.writeStringField("provider", arena.device().provider());
            json.writeStringField("device", arena.device().name());
            json.writeNumberField("bytes", arena.bytes());
            json.writeNumberField("segments", arena.segments());
            json.writeNumberField("shadowBytes", arena.shadowBytes());
            json.writeNumberField("uses", arena.uses());
            json.writeNumberField("ageMillis", arena.age().toMillis());
            json.writeArrayFieldStart("openedAt");
            for (StackTraceElement frame : arena.openedAt()) {
                json.writeString(frame.toString());
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /**
     * Prints the table.
     *
     * @param out where it is printed
     */
    public void text(PrintWriter out) {
        for (String line : report.table()) {
            out.println(TerminalText.line(line));
        }
    }
}
