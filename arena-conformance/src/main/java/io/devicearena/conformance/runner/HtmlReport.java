package io.devicearena.conformance.runner;

import static io.devicearena.conformance.runner.Markup.escaped;
import static io.devicearena.conformance.runner.Markup.ofMarkdown;

import io.devicearena.ArenaDevice;
import io.devicearena.conformance.Clause;
import io.devicearena.spi.Availability;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Writes a report as one HTML page that needs no network, no other file, no script and no server.
 *
 * <p>What providers and messages say is escaped, so that it can only ever be text.
 */
final class HtmlReport {
    private static final String TITLE = "{{title}}";
    private static final String STYLE = "{{style}}";
    private static final String BODY = "{{body}}";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final Set<Outcome> NOT_TESTED =
            EnumSet.of(Outcome.UNSUPPORTED, Outcome.LEFT_OUT, Outcome.NOT_AVAILABLE);

    private final ConformanceReport report;
    private final Specification specification;
    private final List<DeviceResult> devices;
    private final SortedMap<Integer, SortedSet<Clause>> groups = new TreeMap<>();
    private final StringBuilder html = new StringBuilder();

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
        page.body();
        write(page.verdict(), page.html, target);
    }

    /** A page that stands in for the report until the run has ended; it names what is tested. */
    static void writeUnfinished(String clause, Appendable target) throws IOException {
        String title = "This run has not ended";
        write(
                title,
                "<header><h1>" + title + "</h1><p>It tests " + escaped(clause)
                        + ".</p><p>If its process has ended, it ended during this clause.</p></header>",
                target);
    }

    private static void write(String title, CharSequence body, Appendable target) throws IOException {
        // from placeholder to placeholder, not by replacing in the whole text: a message may contain "{{body}}"
        String frame = Resources.text("report.html");
        int atTitle = frame.indexOf(TITLE);
        int atStyle = frame.indexOf(STYLE);
        int atBody = frame.indexOf(BODY);
        target.append(frame, 0, atTitle).append(escaped(title));
        target.append(frame, atTitle + TITLE.length(), atStyle).append(Resources.text("report.css"));
        target.append(frame, atStyle + STYLE.length(), atBody).append(body);
        target.append(frame, atBody + BODY.length(), frame.length());
    }

    private String verdict() {
        List<String> failing = devices.stream()
                .filter(device -> device.tally().count(Outcome.FAILED) > 0)
                .map(DeviceResult::id)
                .toList();
        if (!failing.isEmpty()) {
            long clauses = report.results()
                    .filter(result -> result.outcome() == Outcome.FAILED)
                    .map(ClauseResult::clause)
                    .distinct()
                    .count();
            return (clauses == 1 ? "One clause fails on " : clauses + " clauses fail on ") + String.join(", ", failing);
        }
        if (!report.ok()) {
            return "No conformance shown";
        }
        String names = devices.stream()
                .filter(device -> device.device().isPresent())
                .map(DeviceResult::id)
                .collect(Collectors.joining(", "));
        return "Every tested clause holds on " + names;
    }

    private void body() {
        header();
        problems();
        devices();
        failures();
        if (!groups.isEmpty()) {
            topics();
            notTested();
            clauses();
        }
        footer();
    }

    private void header() {
        html.append("<header>\n<p class=\"kicker\">Device arena conformance</p>\n");
        html.append("<h1><span class=\"mark ")
                .append(report.ok() ? "passed" : "failed")
                .append("\" aria-hidden=\"true\">");
        html.append(report.ok() ? "✓" : "✗")
                .append("</span> ")
                .append(escaped(verdict()))
                .append("</h1>\n");
        Environment on = report.environment();
        html.append("<p class=\"quiet\">")
                .append(escaped("Device Arena " + on.version() + ", provider SPI " + on.spiVersion() + " · " + on.java()
                        + " · " + on.system() + ", " + on.processors() + " processors"))
                .append("</p>\n<dl class=\"figures\">\n");
        for (Outcome outcome : Outcome.values()) {
            int count = report.tally().count(outcome);
            if (count > 0 || outcome == Outcome.PASSED || outcome == Outcome.FAILED || outcome == Outcome.UNSUPPORTED) {
                figure(outcome.label(), Integer.toString(count), style(outcome, count));
            }
        }
        figure("took", seconds(report.duration()), "");
        figure("run on", time(report.started()), "");
        html.append("</dl>\n</header>\n<main>\n");
    }

    private void figure(String name, String value, String style) {
        html.append("<div class=\"")
                .append(style)
                .append("\"><dt>")
                .append(escaped(name))
                .append("</dt><dd>");
        html.append(escaped(value)).append("</dd></div>\n");
    }

    private void problems() {
        if (!report.problems().isEmpty()) {
            html.append("<section class=\"fault\" role=\"alert\"><h2>The run as a whole</h2>\n<ul>\n");
            report.problems()
                    .forEach(problem ->
                            html.append("<li>").append(escaped(problem)).append("</li>\n"));
            html.append("</ul></section>\n");
        }
    }

    private void devices() {
        html.append("<section><h2>Devices</h2>\n<div class=\"cards\">\n");
        for (ProviderResult provider : report.providers()) {
            for (DeviceResult device : provider.devices()) {
                device.device().ifPresent(one -> card(provider, device, one));
            }
            if (provider.devices().stream().allMatch(device -> device.device().isEmpty())) {
                absentCard(provider);
            }
        }
        html.append("</div></section>\n");
    }

    private void card(ProviderResult provider, DeviceResult result, ArenaDevice device) {
        Tally tally = result.tally();
        html.append("<article class=\"card\">\n<h3><span class=\"id\">").append(escaped(result.id()));
        html.append("</span> ").append(escaped(device.name())).append("</h3>\n");
        html.append("<p class=\"verdict ")
                .append(tally.conforms() ? "passed" : "failed")
                .append("\">");
        html.append(tally.conforms() ? "✓ conforms" : "✗ does not conform").append("</p>\n");
        bar(tally);
        html.append("<dl class=\"facts\">\n");
        fact("about", device.description());
        fact("kind", label(device.kind()) + ", priority " + device.priority());
        fact(
                "largest arena",
                bytes(device.limits().maxArenaBytes()) + ", " + device.limits().maxArenaName());
        fact("largest binding", bytes(device.limits().maxBindingBytes()));
        fact("alignment", device.limits().alignmentBytes() + " bytes");
        fact("binding alignment", device.limits().bindingAlignmentBytes() + " bytes");
        fact(
                "capabilities",
                device.capabilities().isEmpty()
                        ? "none"
                        : device.capabilities().stream()
                                .sorted()
                                .map(HtmlReport::label)
                                .collect(Collectors.joining(", ")));
        fact("class", provider.report().implementation());
        html.append("</dl>\n</article>\n");
    }

    private void absentCard(ProviderResult provider) {
        html.append("<article class=\"card absent\">\n<h3><span class=\"id\">").append(escaped(provider.name()));
        html.append("</span></h3>\n<p class=\"verdict\">– not available</p>\n<dl class=\"facts\">\n");
        if (provider.report().availability() instanceof Availability.Missing missing) {
            fact("why", missing.reason());
            fact("remedy", missing.remedy());
        }
        fact("class", provider.report().implementation());
        html.append("</dl>\n</article>\n");
    }

    private void fact(String name, String value) {
        html.append("<dt>")
                .append(escaped(name))
                .append("</dt><dd>")
                .append(escaped(value))
                .append("</dd>\n");
    }

    private void bar(Tally tally) {
        String words = words(tally);
        html.append("<div class=\"bar\" role=\"img\" aria-label=\"")
                .append(escaped(words))
                .append("\">");
        for (Outcome outcome : Outcome.values()) {
            if (tally.count(outcome) > 0) {
                html.append("<span class=\"").append(style(outcome)).append("\" style=\"flex-grow:");
                html.append(tally.count(outcome)).append("\"></span>");
            }
        }
        html.append("</div>\n<p class=\"quiet\">").append(escaped(words)).append("</p>\n");
    }

    private void failures() {
        List<DeviceResult> failing = devices.stream()
                .filter(device -> device.tally().count(Outcome.FAILED) > 0)
                .toList();
        if (failing.isEmpty()) {
            return;
        }
        html.append("<section><h2>Failures</h2>\n");
        for (DeviceResult device : failing) {
            for (ClauseResult result : device.clauses()) {
                if (result.outcome() == Outcome.FAILED) {
                    failure(device, result);
                }
            }
        }
        html.append("</section>\n");
    }

    private void failure(DeviceResult device, ClauseResult result) {
        Clause clause = result.clause();
        html.append("<article class=\"failure\">\n<h3><span class=\"mark failed\" aria-hidden=\"true\">✗</span> ");
        html.append(clause.id())
                .append(" <code>")
                .append(escaped(clause.name()))
                .append("</code> <span class=\"quiet\">on ");
        html.append(escaped(device.id())).append("</span></h3>\n");
        html.append("<p class=\"message\">").append(escaped(result.message())).append("</p>\n");
        rule(clause);
        html.append("<details><summary>Where it failed</summary><pre>").append(escaped(result.trace()));
        html.append("</pre></details>\n</article>\n");
    }

    private void rule(Clause clause) {
        Optional<Specification.Text> text = specification.clause(clause);
        if (text.isPresent()) {
            html.append("<p class=\"rule\">")
                    .append(ofMarkdown(text.get().rule()))
                    .append("</p>\n");
            html.append("<p class=\"rule quiet\"><em>Intent:</em> ");
            html.append(ofMarkdown(text.get().intent())).append("</p>\n");
        }
    }

    private void topics() {
        html.append(
                "<section><h2>By topic</h2>\n<div class=\"scroll\"><table class=\"topics\">\n<thead><tr><th>topic</th>");
        deviceHeads();
        html.append("</tr></thead>\n<tbody>\n");
        groups.keySet().forEach(group -> {
            html.append("<tr><th scope=\"row\"><a href=\"#group-")
                    .append(group)
                    .append("\">")
                    .append(group)
                    .append(' ');
            html.append(escaped(specification.group(group))).append("</a></th>");
            for (DeviceResult device : devices) {
                counts(Tally.of(device.clauses().stream()
                        .filter(result -> result.clause().group() == group)
                        .toList()));
            }
            html.append("</tr>\n");
        });
        html.append("</tbody>\n<tfoot><tr><th scope=\"row\">all</th>");
        devices.forEach(device -> counts(device.tally()));
        html.append("</tr></tfoot>\n</table></div></section>\n");
    }

    private void deviceHeads() {
        devices.forEach(device ->
                html.append("<th scope=\"col\">").append(escaped(device.id())).append("</th>"));
    }

    private void counts(Tally tally) {
        html.append("<td>");
        for (Outcome outcome : Outcome.values()) {
            if (tally.count(outcome) > 0) {
                html.append("<span class=\"count ")
                        .append(style(outcome))
                        .append("\">")
                        .append(tally.count(outcome));
                html.append(' ').append(outcome.label()).append("</span> ");
            }
        }
        html.append("</td>");
    }

    private void notTested() {
        boolean any = report.results().anyMatch(result -> NOT_TESTED.contains(result.outcome()));
        if (!any) {
            return;
        }
        html.append("<section><h2>Not tested, and why</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th>device</th>");
        html.append("<th>clauses</th><th>reason</th></tr></thead>\n<tbody>\n");
        for (DeviceResult device : devices) {
            SortedMap<String, SortedSet<Clause>> byReason = new TreeMap<>();
            device.clauses().stream()
                    .filter(result -> NOT_TESTED.contains(result.outcome()))
                    .forEach(result -> byReason.computeIfAbsent(result.message(), reason -> new TreeSet<>())
                            .add(result.clause()));
            byReason.forEach((reason, clauses) -> {
                html.append("<tr><th scope=\"row\">")
                        .append(escaped(device.id()))
                        .append("</th><td>");
                html.append(clauses.stream().map(Clause::id).collect(Collectors.joining(", ")))
                        .append("</td><td>");
                html.append(escaped(reason)).append("</td></tr>\n");
            });
        }
        html.append("</tbody></table></div></section>\n");
    }

    private void clauses() {
        html.append("""
                <section class="clauses"><h2>Every clause</h2>
                <fieldset class="filter"><legend class="unseen">Show</legend>
                <label><input type="radio" name="show" id="show-all" checked> all</label>
                <label><input type="radio" name="show" id="show-failed"> failed</label>
                <label><input type="radio" name="show" id="show-untested"> not tested</label>
                </fieldset>
                """);
        groups.forEach((group, clauses) -> {
            html.append("<div class=\"group scroll\" id=\"group-")
                    .append(group)
                    .append("\"><h3>")
                    .append(group)
                    .append(' ');
            html.append(escaped(specification.group(group)))
                    .append("</h3>\n<table>\n<thead><tr><th>clause</th><th>kind</th>");
            deviceHeads();
            html.append("</tr></thead>\n<tbody>\n");
            clauses.forEach(this::row);
            html.append("</tbody></table></div>\n");
        });
        html.append("</section>\n");
    }

    private void row(Clause clause) {
        List<Optional<ClauseResult>> results = devices.stream()
                .map(device -> device.clauses().stream()
                        .filter(result -> result.clause().equals(clause))
                        .findFirst())
                .toList();
        Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
        results.forEach(result -> result.ifPresent(one -> outcomes.add(one.outcome())));
        boolean untested = outcomes.stream().anyMatch(NOT_TESTED::contains);
        html.append("<tr class=\"clause").append(outcomes.contains(Outcome.FAILED) ? " has-failed" : "");
        html.append(untested ? " has-untested" : "").append("\"><td><details><summary><span class=\"number\">");
        html.append(clause.id())
                .append("</span> <code>")
                .append(escaped(clause.name()))
                .append("</code></summary>\n");
        rule(clause);
        html.append("</details></td><td class=\"quiet\">")
                .append(escaped(clause.kind()))
                .append("</td>");
        results.forEach(result -> {
            html.append("<td>");
            result.ifPresent(one -> html.append("<span class=\"count ")
                    .append(style(one.outcome()))
                    .append("\">")
                    .append(one.outcome().label())
                    .append("</span> <span class=\"quiet\">")
                    .append(millis(one.duration()))
                    .append("</span>"));
            html.append("</td>");
        });
        html.append("</tr>\n");
    }

    private void footer() {
        html.append("</main>\n<footer class=\"quiet\">The clauses are those of <code>docs/spec.md</code>. A clause is ")
                .append("<em>unsupported</em> where the device does not declare the capability that it needs, and ")
                .append("<em>left out</em> where it does not apply or the machine is too small for its test; neither ")
                .append("counts as passed.</footer>\n");
    }

    private static String words(Tally tally) {
        return EnumSet.allOf(Outcome.class).stream()
                .filter(outcome -> tally.count(outcome) > 0)
                .map(outcome -> tally.count(outcome) + " " + outcome.label())
                .collect(Collectors.joining(", "));
    }

    private static String style(Outcome outcome, int count) {
        return count == 0 ? "none" : style(outcome);
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

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    }

    private static String millis(Duration duration) {
        return duration.toMillis() < 10
                ? String.format(Locale.ROOT, "%.1f ms", duration.toNanos() / 1e6)
                : String.format(Locale.ROOT, "%,d ms", duration.toMillis());
    }

    private static String time(Instant instant) {
        return TIME.format(instant);
    }
}
