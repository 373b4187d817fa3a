package io.devicearena.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.text.PlanText;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.SlotAlias;
import io.devicearena.plan.optimal.SearchResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Plans, proves the plan and tells its figures; allocates nothing. */
@Command(name = "plan", description = "Plans a graph or a table of buffers, proves the plan, and reports its size.")
final class PlanCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final ProviderOptions providers = new ProviderOptions();

    @Mixin
    private final PlanFlags planFlags = new PlanFlags();

    @Parameters(arity = "1", paramLabel = "FILE", description = "A graph (.graph.json) or buffers with lives (.csv).")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path file;

    @Option(
            names = "--capacity",
            converter = Numbers.Bytes.class,
            paramLabel = "N",
            description = "Ask whether the plan fits N bytes; exit code 1 when it does not.")
    private @Nullable Long capacity;

    @Option(names = "--report", description = "Print offset, size and node of every slot, in offset order.")
    private boolean report;

    @Override
    public Integer call() throws IOException {
        PlanFiles files = planFlags.files(Optional.of(file));
        Input input = planFlags.completed(Input.read(Optional.of(file)));
        Progress progress = new Progress(spec.commandLine().getErr());
        try (Interruption interruption = new Interruption(planFlags.isSearching())) {
            PlanSearch search = planFlags.search(
                    capacity == null ? OptionalLong.empty() : OptionalLong.of(capacity),
                    progress,
                    interruption::isAsked);
            PlanOptions options = planFlags.options(alignment(input), search);
            long begun = System.nanoTime();
            PlanResult planned = input.plan(options);
            double millis = (System.nanoTime() - begun) / 1e6;
            progress.end();
            input.validate(planned, options);
            files.write(input, planned, options);
            return tell(new Made(input, options, planned, search, millis));
        }
    }

    /** What was planned, and how. */
    private record Made(Input input, PlanOptions options, PlanResult planned, PlanSearch search, double millis) {
        Optional<SearchResult> result() {
            return search.result(planned.plan().arenaSize());
        }

        /** What a search's proof takes as given, since a planner chose it before: another choice may need less. */
        Optional<String> given() {
            List<String> given = new ArrayList<>();
            if (options.reordering()) {
                given.add("this order of execution");
            }
            if (input.maySlotsBeShared() && planned.plan().arenaSize() > planned.lowerBoundBytes()) {
                given.add("this choice of shared slots");
            }
            return given.isEmpty() ? Optional.empty() : Optional.of(String.join(" and ", given));
        }
    }

    private int tell(Made made) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Optional<String> tooSmall = capacity == null ? Optional.empty() : tooSmall(made, capacity);
        if (output.json) {
            Json.print(out, json -> json(made, tooSmall.isEmpty(), json));
        } else if (report) {
            PlanText.report(made.planned().plan(), out);
        } else {
            text(made, out);
        }
        out.flush();
        tooSmall.ifPresent(why -> spec.commandLine().getErr().println("arena: " + why));
        return tooSmall.isEmpty() ? 0 : Faults.FAILED;
    }

    private void json(Made made, boolean fits, JsonGenerator json) throws IOException {
        PlanResult planned = made.planned();
        PlanFigures.json(planned, json);
        json.writeNumberField("buffers", made.input().count());
        json.writeStringField("strategy", planned.strategy());
        json.writeNumberField("millis", made.millis());
        json.writeBooleanField("valid", true);
        if (capacity != null) {
            json.writeNumberField("capacityBytes", capacity);
            json.writeBooleanField("fits", fits);
            json.writeNumberField("missingBytes", Math.max(0, planned.plan().arenaSize() - capacity));
        }
        if (made.input().graph().isPresent()) {
            json.writeBooleanField("reordered", made.input().isReordered(planned));
            json.writeNumberField("inPlace", PlanFigures.shared(planned, SlotAlias.Reason.IN_PLACE));
            json.writeNumberField("concatenated", PlanFigures.shared(planned, SlotAlias.Reason.CONCATENATION));
            shared(planned, json);
        }
        if (made.result().isPresent()) {
            PlanSearch.json(made.result().get(), json);
        }
        new PeakTable(made.input(), planned).json(json);
    }

    /** Which ops an engine must run in place, and which values it must make within another. */
    private static void shared(PlanResult planned, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("shared");
        for (SlotAlias pair : planned.aliases()) {
            json.writeStartObject();
            json.writeNumberField("value", pair.value().value());
            json.writeNumberField("host", pair.host().value());
            json.writeStringField("reason", Shown.label(pair.reason()));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void text(Made made, PrintWriter out) {
        PlanResult planned = made.planned();
        PlanFigures.line(
                out,
                "input",
                Shown.name(made.input().name()) + ", "
                        + Figures.count(made.input().count(), "value"));
        PlanFigures.text(planned, made.options(), out);
        made.result().ifPresent(result -> PlanSearch.text(result, out));
        if (made.result().filter(SearchResult::isProvedOptimal).isPresent()) {
            made.given().ifPresent(given -> PlanFigures.line(out, "proved for", given + "; another may need less"));
        }
        if (!planned.aliases().isEmpty()) {
            PlanFigures.line(out, "shared slots", PlanFigures.shared(planned));
        }
        if (made.input().isReordered(planned)) {
            PlanFigures.line(out, "order", "changed, which lowers the peak; the schedule in --out is the one to run");
        }
        PlanFigures.line(
                out, "planned in", String.format(Locale.ROOT, "%.1f ms, proved by the validator", made.millis()));
        new PeakTable(made.input(), planned).text(out);
    }

    /** The alignment of the chosen provider's device, or what is usual for the input when none is named. */
    private long alignment(Input input) {
        return providers.provider().isEmpty()
                ? input.usualAlignment()
                : DeviceArenas.choose(providers.arenaOptions()).limits().alignmentBytes();
    }

    /** Why a plan does not fit, or empty when it does. */
    private static Optional<String> tooSmall(Made made, long capacity) {
        PlanResult planned = made.planned();
        long size = planned.plan().arenaSize();
        if (size <= capacity) {
            return Optional.empty();
        }
        return Optional.of("capacity: expected a plan of at most " + capacity + " bytes, got " + size + ", "
                + (size - capacity) + " too many; " + reason(made, capacity));
    }

    private static String reason(Made made, long capacity) {
        long bound = made.planned().lowerBoundBytes();
        LiveBuffer largest = made.planned().buffers().stream()
                .max(Comparator.comparingLong(LiveBuffer::size))
                .orElseThrow();
        if (largest.size() > capacity) {
            return "no plan fits, since " + largest.id() + " alone takes " + largest.size() + " bytes, "
                    + (largest.size() - capacity) + " too many";
        }
        if (bound > capacity) {
            return "no plan " + (made.options().reordering() ? "of this order of execution " : "") + "fits, since "
                    + bound + " bytes are live at one step, " + (bound - capacity) + " too many";
        }
        if (made.search().isProvedNotToFit()) {
            return "no plan " + made.given().map(given -> "with " + given + " ").orElse("")
                    + "fits, as the search has proved";
        }
        return "the lower bound of " + bound + " would fit, "
                + (made.result().isPresent() ? "a larger --budget" : "--strategy " + PlanSearch.OPTIMAL)
                + " may reach it";
    }
}
