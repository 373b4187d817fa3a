package io.devicearena.conformance.runner;

import static java.util.stream.Collectors.joining;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.conformance.junit.Clause;
import io.devicearena.conformance.junit.ClauseResult;
import io.devicearena.conformance.junit.Outcome;
import io.devicearena.conformance.junit.Tally;
import io.devicearena.spi.Availability;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A report as one HTML page that needs no network, no other file, no script and no server. The page is the
 * template {@code report.html}; here are its values.
 *
 * <p>What providers and messages say is escaped, so that it can only ever be text.
 */
final class HtmlReport {
    /** The page of a run, in the folder of its reports. */
    static final String FILE = "index.html";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final Set<Outcome> NOT_TESTED =
            EnumSet.of(Outcome.UNSUPPORTED, Outcome.LEFT_OUT, Outcome.NOT_AVAILABLE);

    private final ConformanceReport report;
    private final Specification specification;
    private final List<DeviceResult> devices;
    private final SortedMap<Integer, SortedSet<Clause>> groups = new TreeMap<>();

    private HtmlReport(ConformanceReport report, Specification specification) {
        this.report = report;
        this.specification = specification;
        this.devices = report.devices();
        report.results()
                .forEach(result -> groups.computeIfAbsent(result.clause().group(), group -> new TreeSet<>())
                        .add(result.clause()));
    }

    static String of(ConformanceReport report, Specification specification) throws IOException {
        HtmlReport page = new HtmlReport(report, specification);
        return page(page.title(), "report", page.values());
    }

    /** A page that stands in for the report until the run has ended; it names what is tested. */
    static String unfinished(String clause) throws IOException {
        return page("This run has not ended", "unfinished", Map.of("clause", clause));
    }

    private static String page(String title, String part, Map<String, ?> values) throws IOException {
        String style = Template.ofFile("report.css").text();
        return Template.ofFile("report.html").fill(Map.of("title", title, "style", style, part, List.of(values)));
    }

    private String title() {
        List<String> failing = ids(device -> device.tally().count(Outcome.FAILED) > 0);
        if (!failing.isEmpty()) {
            long clauses = report.results()
                    .filter(result -> result.outcome() == Outcome.FAILED)
                    .map(ClauseResult::clause)
                    .distinct()
                    .count();
            return (clauses == 1 ? "One clause fails on " : clauses + " clauses fail on ") + String.join(", ", failing);
        }
        List<String> tested = ids(device -> device.device().isPresent());
        return report.ok() ? "Every tested clause holds on " + String.join(", ", tested) : "No conformance shown";
    }

    private List<String> ids(Predicate<DeviceResult> which) {
        return devices.stream().filter(which).map(DeviceResult::id).toList();
    }

    /** What the marks of a part of the page stand for. */
    private static final class Values extends HashMap<String, Object> {
        private static final long serialVersionUID = 1L;

        /** Names and values by turns. */
        static Values of(Object... pairs) {
            return new Values().and(pairs);
        }

        Values and(Object... pairs) {
            for (int i = 0; i < pairs.length; i += 2) {
                put((String) pairs[i], pairs[i + 1]);
            }
            return this;
        }
    }

    private static <T> List<Values> each(Collection<T> all, Function<T, Values> values) {
        return all.stream().map(values).toList();
    }

    /** A section that is left out where it would be empty. */
    private static List<Values> section(String name, List<?> rows) {
        return rows.isEmpty() ? List.of() : List.of(Values.of(name, rows));
    }

    private Values values() {
        Environment on = report.environment();
        String environment = "Device Arena " + on.version() + ", provider SPI " + on.spiVersion() + " · " + on.java()
                + " · " + on.system() + ", " + on.processors() + " processors";
        List<Values> topics = each(
                groups.keySet(),
                group -> of(group).and("cells", cells(result -> result.clause().group() == group)));
        // clauses that passed say how often they tried, or nothing
        Predicate<ClauseResult> isTried = result ->
                result.outcome() == Outcome.PASSED && !result.message().isEmpty();
        return Values.of("verdict", report.ok() ? "passed" : "failed", "sign", report.ok() ? "✓" : "✗")
                .and("environment", environment, "figures", figures(), "cards", cards())
                .and("problems", section("list", each(report.problems(), text -> Values.of("text", text))))
                .and("devices", each(devices, device -> Values.of("id", device.id())))
                .and("failures", section("list", rows(result -> result.outcome() == Outcome.FAILED, this::failure)))
                .and("topics", each(section("rows", topics), table -> table.and("all", cells(result -> true))))
                .and("untested", section("rows", untested()), "tried", section("rows", rows(isTried, this::tried)))
                .and("clauses", section("groups", each(groups.keySet(), this::group)));
    }

    /** Some results of all devices. */
    private List<Values> rows(Predicate<ClauseResult> which, BiFunction<DeviceResult, ClauseResult, Values> row) {
        return devices.stream()
                .flatMap(device -> device.clauses().stream().filter(which).map(result -> row.apply(device, result)))
                .toList();
    }

    private List<Values> figures() {
        List<Values> figures = new ArrayList<>();
        for (Outcome outcome : Outcome.values()) {
            int count = report.tally().count(outcome);
            if (count > 0 || outcome == Outcome.PASSED || outcome == Outcome.FAILED || outcome == Outcome.UNSUPPORTED) {
                figures.add(fact(outcome.label(), count).and("style", count == 0 ? "none" : label(outcome)));
            }
        }
        figures.add(fact(
                "took", String.format(Locale.ROOT, "%.1f s", report.duration().toMillis() / 1000.0)));
        figures.add(fact("run on", TIME.format(report.started())));
        return figures;
    }

    private List<Values> cards() {
        List<Values> cards = new ArrayList<>();
        for (ProviderResult provider : report.providers()) {
            for (DeviceResult device : provider.devices()) {
                device.device().ifPresent(one -> cards.add(card(provider, device, one)));
            }
            if (provider.devices().stream().allMatch(device -> device.device().isEmpty())) {
                cards.add(absentCard(provider));
            }
        }
        return cards;
    }

    private static Values card(ProviderResult provider, DeviceResult result, ArenaDevice device) {
        Tally tally = result.tally();
        ArenaLimits limits = device.limits();
        List<Values> counts = counts(tally);
        String words = counts.stream()
                .map(one -> one.get("count") + " " + one.get("label"))
                .collect(joining(", "));
        String capabilities = device.capabilities().isEmpty()
                ? "none"
                : device.capabilities().stream().sorted().map(HtmlReport::label).collect(joining(", "));
        List<Values> facts = List.of(
                fact("about", device.description()),
                fact("kind", label(device.kind()) + ", priority " + device.priority()),
                fact("largest arena", bytes(limits.maxArenaBytes()) + ", " + limits.maxArenaName()),
                fact("largest binding", bytes(limits.maxBindingBytes())),
                fact("alignment", limits.alignmentBytes() + " bytes"),
                fact("binding alignment", limits.bindingAlignmentBytes() + " bytes"),
                fact("capabilities", capabilities),
                fact("class", provider.report().implementation()));
        return Values.of("id", result.id(), "name", device.name(), "facts", facts)
                .and("verdict", tally.conforms() ? "passed" : "failed")
                .and("words", tally.conforms() ? "✓ conforms" : "✗ does not conform")
                .and("bar", List.of(Values.of("counts", words, "parts", counts)));
    }

    private static Values absentCard(ProviderResult provider) {
        List<Values> facts = new ArrayList<>();
        if (provider.report().availability() instanceof Availability.Missing missing) {
            facts.add(fact("why", missing.reason()));
            facts.add(fact("remedy", missing.remedy()));
        }
        facts.add(fact("class", provider.report().implementation()));
        return Values.of("absent", " absent", "id", provider.name(), "words", "– not available", "facts", facts);
    }

    private static Values fact(String name, Object value) {
        return Values.of("name", name, "value", value);
    }

    private Values of(int group) {
        return Values.of("group", group, "name", specification.group(group));
    }

    private Values of(Clause clause) {
        List<Values> rule = specification.clause(clause).stream()
                .map(text ->
                        Values.of("rule", Markup.ofMarkdown(text.rule()), "intent", Markup.ofMarkdown(text.intent())))
                .toList();
        return Values.of("id", clause.id(), "name", clause.name(), "rule", rule);
    }

    private Values failure(DeviceResult device, ClauseResult result) {
        return of(result.clause()).and("device", device.id(), "message", result.message(), "trace", result.trace());
    }

    private Values tried(DeviceResult device, ClauseResult result) {
        Clause clause = result.clause();
        return Values.of(
                "device", device.id(), "clause", clause.id() + " " + clause.name(), "figures", result.message());
    }

    private List<Values> cells(Predicate<ClauseResult> which) {
        return each(
                devices,
                device -> Values.of(
                        "counts",
                        counts(Tally.of(device.clauses().stream().filter(which).toList()))));
    }

    private static List<Values> counts(Tally tally) {
        return EnumSet.allOf(Outcome.class).stream()
                .filter(outcome -> tally.count(outcome) > 0)
                .map(outcome ->
                        Values.of("style", label(outcome), "count", tally.count(outcome), "label", outcome.label()))
                .toList();
    }

    private List<Values> untested() {
        List<Values> rows = new ArrayList<>();
        for (DeviceResult device : devices) {
            SortedMap<String, SortedSet<Clause>> byReason = new TreeMap<>();
            device.clauses().stream()
                    .filter(result -> NOT_TESTED.contains(result.outcome()))
                    .forEach(result -> byReason.computeIfAbsent(result.message(), reason -> new TreeSet<>())
                            .add(result.clause()));
            byReason.forEach((reason, clauses) -> {
                String ids = clauses.stream().map(Clause::id).collect(joining(", "));
                rows.add(Values.of("device", device.id(), "clauses", ids, "reason", reason));
            });
        }
        return rows;
    }

    private Values group(int group) {
        return of(group).and("rows", each(groups.getOrDefault(group, new TreeSet<>()), this::row));
    }

    private Values row(Clause clause) {
        Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
        List<Values> cells = new ArrayList<>();
        for (DeviceResult device : devices) {
            List<ClauseResult> results = device.clauses().stream()
                    .filter(result -> result.clause().equals(clause))
                    .toList();
            results.forEach(result -> outcomes.add(result.outcome()));
            cells.add(Values.of("result", each(results, HtmlReport::cell)));
        }
        String untested = outcomes.stream().anyMatch(NOT_TESTED::contains) ? " has-untested" : "";
        String filter = (outcomes.contains(Outcome.FAILED) ? " has-failed" : "") + untested;
        return of(clause).and("filter", filter, "kind", clause.kind(), "cells", cells);
    }

    private static Values cell(ClauseResult result) {
        Outcome outcome = result.outcome();
        return Values.of("style", label(outcome), "label", outcome.label(), "took", millis(result.duration()));
    }

    /** Its name for people, and of an outcome its style. */
    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String bytes(long bytes) {
        if (bytes == Long.MAX_VALUE) {
            return "unlimited";
        }
        boolean large = bytes >= 1L << 30;
        return String.format(
                Locale.ROOT,
                "%.2f %s (%,d bytes)",
                bytes / (double) (1L << (large ? 30 : 20)),
                large ? "GiB" : "MiB",
                bytes);
    }

    private static String millis(Duration duration) {
        return duration.toMillis() < 10
                ? String.format(Locale.ROOT, "%.1f ms", duration.toNanos() / 1e6)
                : String.format(Locale.ROOT, "%,d ms", duration.toMillis());
    }
}
