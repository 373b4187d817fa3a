package io.devicearena.cli.output;

import io.devicearena.cli.message.TerminalText;
import io.devicearena.conformance.junit.ClauseResult;
import io.devicearena.conformance.junit.Outcome;
import io.devicearena.conformance.junit.Tally;
import io.devicearena.conformance.runner.ConformanceReport;
import io.devicearena.conformance.runner.DeviceResult;
import io.devicearena.conformance.runner.Specification;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The report of the conformance kit as text: a table with a row for each group of clauses and a column for each device,
 * then the failures and what was not tested, with the reasons.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class ConformanceText {
    private static final Map<Outcome, String> SHORT = new EnumMap<>(Map.of(
            Outcome.PASSED, "passed",
            Outcome.FAILED, "FAILED",
            Outcome.UNSUPPORTED, "unsupported",
            Outcome.LEFT_OUT, "left out",
            Outcome.NOT_AVAILABLE, "not available"));

    private final ConformanceReport report;
    private final Specification specification;

    /**
     * Makes the text.
     *
     * @param report the report
     * @param specification the names of the groups of clauses
     */
    public ConformanceText(ConformanceReport report, Specification specification) {
        this.report = report;
        this.specification = specification;
    }

    /**
     * Prints the text.
     *
     * @param out where it is printed
     */
    public void print(TextLines out) {
        devices(out);
        table(out);
        failures(out);
        notTested(out);
        report.problems().forEach(problem -> out.println("PROBLEM " + shown(problem)));
        Tally tally = report.tally();
        out.printf(
                Locale.ROOT,
                "%s: %s in %.1f s%n",
                report.ok() ? "conforms" : "does not conform",
                tally.total() == 0 ? "nothing tested" : counts(tally),
                report.duration().toMillis() / 1000.0);
    }

    private void devices(TextLines out) {
        for (DeviceResult device : report.devices()) {
            out.println(shown(device.id()) + ": "
                    + device.device()
                            .map(one -> shown(one.name() + " (" + one.description() + ")"))
                            .orElse("not available"));
        }
        if (!report.devices().isEmpty()) {
            out.println();
        }
    }

    private void table(TextLines out) {
        List<DeviceResult> devices = report.devices();
        if (devices.isEmpty()) {
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of(""));
        devices.forEach(device -> head.add(shown(device.id())));
        rows.add(head);
        TreeSet<Integer> groups = new TreeSet<>();
        devices.forEach(device ->
                device.clauses().forEach(result -> groups.add(result.clause().group())));
        for (int group : groups) {
            List<String> row = new ArrayList<>();
            row.add(String.format(Locale.ROOT, "%2d %s", group, specification.group(group)));
            devices.forEach(device -> row.add(counts(Tally.of(device.clauses().stream()
                    .filter(result -> result.clause().group() == group)
                    .toList()))));
            rows.add(row);
        }
        List<String> foot = new ArrayList<>(List.of("   all"));
        devices.forEach(device -> foot.add(counts(device.tally())));
        rows.add(foot);
        int[] widths = new int[head.size()];
        rows.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 3));
            }
            out.println(line.toString().stripTrailing());
        }
        out.println();
    }

    private void failures(TextLines out) {
        for (DeviceResult device : report.devices()) {
            for (ClauseResult result : device.clauses()) {
                if (result.outcome() == Outcome.FAILED) {
                    out.println("FAILED " + shown(device.id()) + " "
                            + result.clause().id() + " " + result.clause().name());
                    out.println("    " + shown(result.message()));
                }
            }
        }
    }

    /** The clauses that were not tested, a line for each device and reason. */
    private void notTested(TextLines out) {
        for (DeviceResult device : report.devices()) {
            Map<String, List<String>> byReason = new LinkedHashMap<>();
            for (ClauseResult result : device.clauses()) {
                if (result.outcome() != Outcome.PASSED && result.outcome() != Outcome.FAILED) {
                    byReason.computeIfAbsent(result.message(), reason -> new ArrayList<>())
                            .add(result.clause().id());
                }
            }
            byReason.forEach((reason, clauses) -> {
                out.println("not tested " + shown(device.id()) + " " + String.join(", ", clauses));
                out.println("    " + shown(reason));
            });
        }
    }

    private static String counts(Tally tally) {
        return SHORT.entrySet().stream()
                .filter(entry -> tally.count(entry.getKey()) > 0)
                .map(entry -> tally.count(entry.getKey()) + " " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    /** One line without control characters; names and messages come from the providers. */
    private static String shown(String text) {
        return TerminalText.line(text);
    }
}
