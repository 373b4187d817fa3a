package io.devicearena.conformance.runner;

import static java.util.stream.Collectors.joining;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.conformance.junit.Clause;
import io.devicearena.spi.Availability;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
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
import java.util.function.Predicate;

/**
 * Writes a report as one HTML page that needs no network, no other file, no script and no server. The page is the
 * template {@code report.html}; here are its values.
 *
 * <p>What providers and messages say is escaped, so that it can only ever be text.
 */
final class HtmlReport {
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

    static void write(ConformanceReport report, Specification specification, Appendable target) throws IOException {
        HtmlReport page = new HtmlReport(report, specification);
        write(page.title(), "report", page.values(), target);
    }

    /** A page that stands in for the report until the run has ended; it names what is tested. */
    static void writeUnfinished(String clause, Appendable target) throws IOException {
        write("This run has not ended", "unfinished", Map.of("clause", clause), target);
    }

    private static void write(String title, String part, Map<String, ?> values, Appendable target) throws IOException {
        new Template(Resources.text("report.html"))
                .fill(Map.of("title", title, "style", Resources.text("report.css"), part, List.of(values)), target);
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
        return report.ok()
                ? "Every tested clause holds on "
                        + String.join(", ", ids(device -> device.device().isPresent()))
                : "No conformance shown";
    }

    private List<String> ids(Predicate<DeviceResult> which) {
        return devices.stream().filter(which).map(DeviceResult::id).toList();
    }

    /** What the marks of a part of the page stand for. */
    private static final class Values extends HashMap<String, Object> {
        private static final long serialVersionUID = 1L;

        Values with(String name, Object value) {
            put(name, value);
            return this;
        }
    }

    private Values values() {
        List<?> failures = devices.stream()
                .flatMap(device -> device.clauses().stream()
                        .filter(result -> result.outcome() == Outcome.FAILED)
                        .map(result -> failure(device, result)))
                .toList();
        List<?> heads = devices.stream()
                .map(device -> new Values().with("id", device.id()))
                .toList();
        List<?> problems = report.problems().stream()
                .map(problem -> new Values().with("text", problem))
                .toList();
        return new Values()
                .with("verdict", report.ok() ? "passed" : "failed")
                .with("sign", report.ok() ? "✓" : "✗")
                .with("environment", environment())
                .with("figures", figures())
                .with("problems", section("list", problems))
                .with("cards", cards())
                .with("devices", heads)
                .with("failures", section("list", failures))
                .with("topics", groups.isEmpty() ? List.of() : List.of(topics().with("all", cells(result -> true))))
                .with("untested", section("rows", untested()))
                .with("tried", section("rows", tried()))
                .with(
                        "clauses",
                        section(
                                "groups",
                                groups.keySet().stream().map(this::group).toList()));
    }

    private String environment() {
        Environment on = report.environment();
        return "Device Arena " + on.version() + ", provider SPI " + on.spiVersion() + " · " + on.java() + " · "
                + on.system() + ", " + on.processors() + " processors";
    }

    /** A section that is left out where it would be empty. */
    private static List<Values> section(String name, List<?> rows) {
        return rows.isEmpty() ? List.of() : List.of(new Values().with(name, rows));
    }

    private List<Values> figures() {
        List<Values> figures = new ArrayList<>();
        for (Outcome outcome : Outcome.values()) {
            int count = report.tally().count(outcome);
            if (count > 0 || outcome == Outcome.PASSED || outcome == Outcome.FAILED || outcome == Outcome.UNSUPPORTED) {
                figures.add(fact(outcome.label(), count).with("style", count == 0 ? "none" : style(outcome)));
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
        String words = EnumSet.allOf(Outcome.class).stream()
                .filter(outcome -> tally.count(outcome) > 0)
                .map(outcome -> tally.count(outcome) + " " + outcome.label())
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
        return new Values()
                .with("id", result.id())
                .with("name", device.name())
                .with("verdict", tally.conforms() ? "passed" : "failed")
                .with("words", tally.conforms() ? "✓ conforms" : "✗ does not conform")
                .with("bar", List.of(new Values().with("counts", words).with("parts", counts(tally))))
                .with("facts", facts);
    }

    private static Values absentCard(ProviderResult provider) {
        List<Values> facts = new ArrayList<>();
        if (provider.report().availability() instanceof Availability.Missing missing) {
            facts.add(fact("why", missing.reason()));
            facts.add(fact("remedy", missing.remedy()));
        }
        facts.add(fact("class", provider.report().implementation()));
        return new Values()
                .with("absent", " absent")
                .with("id", provider.name())
                .with("words", "– not available")
                .with("facts", facts);
    }

    private static Values fact(String name, Object value) {
        return new Values().with("name", name).with("value", value);
    }

    private Values of(Clause clause) {
        return new Values().with("id", clause.id()).with("name", clause.name()).with("rule", section(clause));
    }

    private Values failure(DeviceResult device, ClauseResult result) {
        return of(result.clause())
                .with("device", device.id())
                .with("message", result.message())
                .with("trace", result.trace());
    }

    private List<Values> section(Clause clause) {
        return specification.clause(clause).stream()
                .map(text -> new Values()
                        .with("rule", Markup.ofMarkdown(text.rule()))
                        .with("intent", Markup.ofMarkdown(text.intent())))
                .toList();
    }

    private Values of(int group) {
        return new Values().with("group", group).with("name", specification.group(group));
    }

    private Values topics() {
        List<Values> rows = groups.keySet().stream()
                .map(group ->
                        of(group).with("cells", cells(result -> result.clause().group() == group)))
                .toList();
        return new Values().with("rows", rows);
    }

    private List<Values> cells(Predicate<ClauseResult> which) {
        return devices.stream()
                .map(device -> Tally.of(device.clauses().stream().filter(which).toList()))
                .map(tally -> new Values().with("counts", counts(tally)))
                .toList();
    }

    private static List<Values> counts(Tally tally) {
        return EnumSet.allOf(Outcome.class).stream()
                .filter(outcome -> tally.count(outcome) > 0)
                .map(outcome -> new Values()
                        .with("style", style(outcome))
                        .with("count", tally.count(outcome))
                        .with("label", outcome.label()))
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
            byReason.forEach((reason, clauses) -> rows.add(new Values()
                    .with("device", device.id())
                    .with("clauses", clauses.stream().map(Clause::id).collect(joining(", ")))
                    .with("reason", reason)));
        }
        return rows;
    }

    /** What clauses that passed say of their tries. */
    private List<Values> tried() {
        return devices.stream()
                .flatMap(device -> device.clauses().stream()
                        .filter(result -> result.outcome() == Outcome.PASSED
                                && !result.message().isEmpty())
                        .map(result -> new Values()
                                .with("device", device.id())
                                .with(
                                        "clause",
                                        result.clause().id() + " "
                                                + result.clause().name())
                                .with("figures", result.message())))
                .toList();
    }

    private Values group(int group) {
        SortedSet<Clause> clauses = groups.getOrDefault(group, new TreeSet<>());
        return of(group).with("rows", clauses.stream().map(this::row).toList());
    }

    private Values row(Clause clause) {
        List<List<ClauseResult>> results = devices.stream()
                .map(device -> device.clauses().stream()
                        .filter(result -> result.clause().equals(clause))
                        .toList())
                .toList();
        Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
        results.forEach(of -> of.forEach(result -> outcomes.add(result.outcome())));
        String untested = outcomes.stream().anyMatch(NOT_TESTED::contains) ? " has-untested" : "";
        return of(clause)
                .with("filter", (outcomes.contains(Outcome.FAILED) ? " has-failed" : "") + untested)
                .with("kind", clause.kind())
                .with("cells", results.stream().map(HtmlReport::cell).toList());
    }

    private static Values cell(List<ClauseResult> results) {
        List<Values> all = results.stream()
                .map(result -> new Values()
                        .with("style", style(result.outcome()))
                        .with("label", result.outcome().label())
                        .with("took", millis(result.duration())))
                .toList();
        return new Values().with("result", all);
    }

    private static String style(Outcome outcome) {
        return outcome.label().replace(' ', '-');
    }

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
