package io.devicearena.cli.output;

import io.devicearena.ArenaDevice;
import io.devicearena.cli.input.FitInput;
import io.devicearena.cli.json.JsonFields;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.discovery.ArenaFit;
import io.devicearena.plan.RoleBytes;
import io.devicearena.plan.size.Dimension;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a model takes, and which devices have as much free, as {@code fit} prints it.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * @param input the model
 * @param bytes its bytes by role, by an alignment that serves every host
 * @param rows the devices
 */
public record FitTable(FitInput input, RoleBytes bytes, List<Row> rows) {
    /** Makes the table; the list is copied. */
    public FitTable {
        rows = List.copyOf(rows);
    }

    /**
     * A device.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param fit what the model takes there
     * @param largest the largest size of the dimension that fits, 0 for none; empty if that is not known
     */
    public record Row(ArenaFit fit, OptionalLong largest) {}

    /**
     * Writes the document.
     *
     * @param json where it is written
     */
    public void json(JsonFields json) {
        json.put("model", input.file().toString());
        input.range()
                .ifPresent(range -> json.put(
                        "dimension",
                        new JsonFields()
                                .put("name", range.name())
                                .put("size", input.size())
                                .put("least", range.least())
                                .put("most", range.most())));
        json.put("weightBytes", bytes.weightBytes())
                .put("stateBytes", input.hasState() ? bytes.stateBytes() : null)
                .put("activationBytes", input.hasOps() ? bytes.activationBytes() : null)
                .put("devices", rows.stream().map(this::device).toList());
    }

    private JsonFields device(Row row) {
        ArenaFit fit = row.fit();
        JsonFields json = new JsonFields()
                .put("provider", fit.device().provider())
                .put("device", fit.device().name())
                .put("arenaBytes", fit.planBytes())
                .put("scratchBytes", fit.scratchBytes())
                .put("shadowBytes", fit.overhead().shadowBytes())
                .put("stagingBytes", fit.overhead().stagingBytes())
                .put("neededBytes", fit.neededBytes())
                .put("totalBytes", fit.totalBytes())
                .put("freeBytes", fit.freeBytes())
                .put("spareBytes", fit.spareBytes())
                .put("fits", fit.spareBytes().isPresent() ? fit.isKnownToFit() : null);
        return input.range().isPresent() ? json.put("largest", row.largest()) : json;
    }

    /**
     * Prints the table.
     *
     * @param out where it is printed
     */
    public void text(TextLines out) {
        out.line(
                "model",
                TerminalText.name(String.valueOf(input.file().getFileName()))
                        + input.range()
                                .map(range -> ", " + TerminalText.name(range.name()) + " "
                                        + HumanReadable.count(input.size()))
                                .orElse(""));
        out.line("weights", HumanReadable.bytes(bytes.weightBytes()));
        out.line(
                "state",
                input.hasState() ? HumanReadable.bytes(bytes.stateBytes()) : "not known, the file does not say");
        out.line(
                "activations",
                input.hasOps() ? HumanReadable.bytes(bytes.activationBytes()) : "not known, the file has no graph");
        rows.forEach(row -> text(row, out));
    }

    private void text(Row row, TextLines out) {
        ArenaFit fit = row.fit();
        ArenaDevice device = fit.device();
        out.println();
        out.line("device", device.provider() + ": " + TerminalText.name(device.name()));
        out.line("arena", HumanReadable.bytes(fit.planBytes()));
        optional(out, "scratch", fit.scratchBytes());
        optional(out, "f16 shadow", fit.overhead().shadowBytes());
        optional(out, "staging", fit.overhead().stagingBytes());
        out.line("needed", HumanReadable.bytes(fit.neededBytes()));
        out.line("memory", text(fit.totalBytes()) + ", free " + text(fit.freeBytes()));
        out.line("fits", verdict(fit));
        input.range().ifPresent(range -> out.line("largest", largest(row, range)));
    }

    private static String largest(Row row, Dimension range) {
        String sizes = TerminalText.name(range.name()) + " of " + HumanReadable.count(range.least()) + " to "
                + HumanReadable.count(range.most());
        if (row.largest().isEmpty()) {
            return "not known";
        }
        long size = row.largest().getAsLong();
        return (size == 0 ? "no " : HumanReadable.count(size) + ", ") + sizes;
    }

    private static void optional(TextLines out, String name, long bytes) {
        if (bytes > 0) {
            out.line(name, HumanReadable.bytes(bytes));
        }
    }

    private static String text(OptionalLong bytes) {
        return bytes.isPresent() ? HumanReadable.bytes(bytes.getAsLong()) : "not known";
    }

    private static String verdict(ArenaFit fit) {
        if (fit.spareBytes().isEmpty()) {
            return "not known, the device does not say what is free";
        }
        long spare = fit.spareBytes().getAsLong();
        return spare < 0
                ? "no, " + HumanReadable.bytes(-spare) + " too many"
                : "yes, " + HumanReadable.bytes(spare) + " left";
    }
}
