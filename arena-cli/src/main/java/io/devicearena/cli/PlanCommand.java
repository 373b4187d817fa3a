package io.devicearena.cli;

import io.devicearena.ArenaDevice;
import io.devicearena.cli.input.CompareScript;
import io.devicearena.cli.input.Comparison;
import io.devicearena.cli.input.DimensionRange;
import io.devicearena.cli.input.GraphInput;
import io.devicearena.cli.input.OnnxInput;
import io.devicearena.cli.input.PlanInput;
import io.devicearena.cli.input.PlannedInput;
import io.devicearena.cli.json.JsonFields;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.ProgressLine;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.cli.output.ComparisonTable;
import io.devicearena.cli.output.OutputFile;
import io.devicearena.cli.output.PeakTable;
import io.devicearena.cli.output.PlanFiles;
import io.devicearena.cli.output.PlanSummary;
import io.devicearena.cli.output.SegmentTable;
import io.devicearena.cli.output.SizeTable;
import io.devicearena.cli.output.TextLines;
import io.devicearena.cli.output.ValueExplanation;
import io.devicearena.cli.trace.PlanSnapshot;
import io.devicearena.cli.trace.PlanTrace;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.SlotAlias;
import io.devicearena.plan.optimal.SearchResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Plans a file, validates the plan and reports its size. It allocates no device memory. */
@Command(name = "plan", description = "Plans a graph or a table of buffers, validates the plan, and reports its size.")
final class PlanCommand implements Callable<Integer> {
    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final ProviderOptions providers = new ProviderOptions();

    @Mixin
    private final PlanningOptions planning = new PlanningOptions();

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description =
                    "A graph (.onnx, .graph.json) or a table of buffers and their live ranges (.csv). Several .graph.json"
                            + " share one arena: parameters, constants and states by their ids, all else one graph at a time.")
    @SuppressWarnings("FieldCanBeFinal") // the parser sets it
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--capacity",
            converter = OptionConverters.Bytes.class,
            paramLabel = "N",
            description = "Check that the plan fits in N bytes; exit code 1 if it does not.")
    private @Nullable Long capacity;

    @Option(
            names = "--compare",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "FILE",
            description = "Of an ONNX file: print what ONNX Runtime and onnxsim take beside the plan. FILE is what"
                    + " tools/models/compare.py wrote; without it, that script is run.")
    private @Nullable String compare;

    @Option(
            names = "--sizes",
            paramLabel = "NAME=N[,NAME=N]",
            description =
                    "Of an ONNX file with ranges in --dim: also make a plan up to these sizes, in the same arena.")
    private List<String> sizes = new ArrayList<>();

    @Option(
            names = "--report",
            description = "Print offset, size and node of every slot, in offset order, and where segments end.")
    private boolean report;

    @Option(
            names = "--snapshot",
            paramLabel = "FILE",
            description = "Write the plan as a memory snapshot of PyTorch, which pytorch.org/memory_viz opens.")
    private @Nullable Path snapshot;

    @Option(
            names = "--explain",
            paramLabel = "VALUE",
            description =
                    "Print why a value lies where it lies, whose bytes it takes over, and what it waits for; VALUE is"
                            + " its name or its id.")
    private @Nullable String explain;

    @Override
    public Integer call() throws IOException {
        Optional<ArenaDevice> device = providers.chosen();
        if (files.size() > 1) {
            if (!planning.sizes().isEmpty()) {
                throw new IllegalArgumentException("--dim: expected one file, an ONNX file, got " + files.size());
            }
            PlanningOptions.requireOneFile("--report", report, files);
            PlanningOptions.requireOneFile("--explain", explain != null, files);
            PlanningOptions.requireOneFile("--snapshot", snapshot != null, files);
            return new FamilyCommand(output, planning, capacity())
                    .call(files, usualOptions(device, PlanOptions.DEFAULT_ALIGNMENT));
        }
        Path file = files.getFirst();
        Optional<OutputFile> pickle = Optional.ofNullable(snapshot).map(path -> OutputFile.of("--snapshot", path));
        PlanFiles written = planning.files(files, pickle);
        PlanInput input = planning.read(Optional.of(file));
        ProgressLine progress = output.progress();
        try (SigintHandler sigint = new SigintHandler(planning.isSearching())) {
            PlanSearch search = planning.search(capacity(), progress, sigint::isInterrupted);
            PlanOptions options = input.typed(planning.options(usualOptions(device, input.usualAlignment()), search));
            long begun = System.nanoTime();
            PlannedInput planned = PlannedInput.of(input, options);
            Optional<SizeTable> table = sizes(input, options);
            double millis = (System.nanoTime() - begun) / 1e6;
            progress.clear();
            planned.validate();
            Optional<ValueExplanation> explained =
                    Optional.ofNullable(explain).map(value -> ValueExplanation.of(planned, value));
            written.write(planned);
            if (written.timeline().isPresent()) {
                written.timeline().get().write(new PlanTrace(planned)::write);
            }
            SegmentTable segments = SegmentTable.of(planned.plan(), options);
            if (pickle.isPresent()) {
                pickle.get().fill(new PlanSnapshot(planned, segments.layout())::write);
            }
            return report(new Made(planned, segments, table, search, millis), explained);
        }
    }

    private OptionalLong capacity() {
        return capacity == null ? OptionalLong.empty() : OptionalLong.of(capacity);
    }

    /** The plans at several sizes of a graph with free dimensions. */
    private Optional<SizeTable> sizes(PlanInput input, PlanOptions options) {
        if (input instanceof GraphInput graph && !graph.network().dimensions().isEmpty()) {
            List<Map<String, Long>> chosen = sizes.stream()
                    .map(text -> DimensionRange.most(DimensionRange.of(List.of(text.split(",")))))
                    .toList();
            return Optional.of(new SizeTable(graph, chosen, options));
        }
        if (!sizes.isEmpty()) {
            throw new IllegalArgumentException(
                    "--sizes: expected a range of sizes in --dim, for example tokens=1..512, got none");
        }
        return Optional.empty();
    }

    private Optional<ComparisonTable> comparison(Made made) throws IOException {
        if (compare == null) {
            return Optional.empty();
        }
        Path file = files.getFirst();
        if (!OnnxInput.isOnnx(file)) {
            throw new IllegalArgumentException("--compare: expected an ONNX file, got " + file);
        }
        Comparison other =
                compare.isEmpty() ? CompareScript.run(file, planning.sizes()) : Comparison.read(Path.of(compare));
        return made.planned().input().graph().map(graph -> new ComparisonTable(graph, made.planned(), other));
    }

    /** A plan with what the command reports of it. */
    private record Made(
            PlannedInput planned, SegmentTable segments, Optional<SizeTable> sizes, PlanSearch search, double millis) {
        Optional<SearchResult> result() {
            return search.result(planned.plan().arenaSize());
        }

        /** Whether the plan is larger than the one that was searched for, since it has several segments. */
        boolean isEnlargedBySegments() {
            long bytes = planned.plan().arenaSize();
            return segments.layout().count() > 1
                    && result().filter(result -> result.arenaBytes() < bytes).isPresent();
        }

        /** What a planner chose before the search: the proof of the search holds for these choices only. */
        Optional<String> given() {
            List<String> given = new ArrayList<>();
            if (planned.options().reordering()) {
                given.add("this schedule");
            }
            if (planned.input().graph().filter(GraphInput::maySlotsBeShared).isPresent()
                    && planned.plan().arenaSize() > planned.result().lowerBoundBytes()) {
                given.add("this choice of shared slots");
            }
            return given.isEmpty() ? Optional.empty() : Optional.of(String.join(" and ", given));
        }
    }

    private int report(Made made, Optional<ValueExplanation> explained) throws IOException {
        CapacityCheck fitting =
                new CapacityCheck(capacity(), made.planned().plan().arenaSize());
        Optional<ComparisonTable> comparison = comparison(made);
        output.print(
                json -> {
                    json(made, fitting, json);
                    comparison.ifPresent(table -> table.json(json));
                },
                out -> {
                    if (report) {
                        made.segments().report(made.planned().plan(), out);
                    } else if (explained.isPresent()) {
                        explained.get().text(out);
                    } else {
                        text(made, out);
                    }
                    comparison.ifPresent(table -> table.text(out));
                });
        return fitting.report(output, () -> reason(made, fitting.capacity().getAsLong()));
    }

    private static void json(Made made, CapacityCheck fitting, JsonFields json) {
        PlannedInput planned = made.planned();
        PlanSummary.json(planned, json);
        made.segments().json(json);
        made.sizes().ifPresent(table -> table.json(json));
        json.put("buffers", planned.input().count())
                .put("strategy", planned.result().strategy())
                .put("millis", made.millis())
                .put("valid", true);
        fitting.json(json);
        if (planned.input().graph().isPresent()) {
            json.put("reordered", planned.isReordered())
                    .put("inPlace", PlanSummary.shared(planned, SlotAlias.Reason.IN_PLACE))
                    .put("concatenated", PlanSummary.shared(planned, SlotAlias.Reason.CONCATENATION))
                    .put(
                            "shared",
                            planned.result().aliases().stream()
                                    .map(PlanCommand::fields)
                                    .toList());
        }
        made.result().ifPresent(result -> PlanSearch.json(result, made.isEnlargedBySegments(), json));
        new PeakTable(planned).json(json);
    }

    private static JsonFields fields(SlotAlias pair) {
        return new JsonFields()
                .put("value", pair.value().value())
                .put("host", pair.host().value())
                .put("reason", TerminalText.label(pair.reason()));
    }

    private static void text(Made made, TextLines out) {
        PlannedInput planned = made.planned();
        out.line(
                "input",
                TerminalText.name(planned.input().name()) + ", "
                        + HumanReadable.count(planned.input().count(), "value"));
        PlanSummary.text(planned, made.segments(), out);
        made.result().ifPresent(result -> PlanSearch.text(result, out));
        if (made.result().filter(SearchResult::isProvedOptimal).isPresent()) {
            if (made.isEnlargedBySegments()) {
                out.line("proved for", "an arena of one segment");
            }
            made.given().ifPresent(given -> out.line("proved for", given + "; another choice may need less"));
        }
        if (!planned.result().aliases().isEmpty()) {
            out.line("shared slots", PlanSummary.shared(planned));
        }
        if (planned.isReordered()) {
            out.line("schedule", "reordered to lower the peak; run the values in the order of --out");
        }
        out.line("planned in", String.format(Locale.ROOT, "%.1f ms, checked by the validator", made.millis()));
        made.sizes().ifPresent(table -> table.text(out));
        new PeakTable(planned).text(out);
    }

    /** The options for the chosen device; without one, the usual ones of the input. */
    private static PlanOptions usualOptions(Optional<ArenaDevice> device, long alignment) {
        return device.map(PlanOptions::forDevice).orElseGet(() -> PlanOptions.f32Uniform(alignment));
    }

    /** Why a plan does not fit. */
    private static String reason(Made made, long capacity) {
        long bound = made.planned().result().lowerBoundBytes();
        LiveBuffer largest = made.planned().result().buffers().stream()
                .max(Comparator.comparingLong(LiveBuffer::size))
                .orElseThrow();
        if (largest.size() > capacity) {
            return "no plan fits, since " + largest.id() + " alone takes " + largest.size() + " bytes, "
                    + (largest.size() - capacity) + " too many";
        }
        if (bound > capacity) {
            return "no plan " + (made.planned().options().reordering() ? "with this schedule " : "") + "fits, since "
                    + bound + " bytes are live at one step, " + (bound - capacity) + " too many";
        }
        if (made.search().isProvedNotToFit()) {
            return "no plan " + made.given().map(given -> "with " + given + " ").orElse("")
                    + "fits; the search has proved it";
        }
        return "the lower bound of " + bound + " bytes fits; "
                + (made.result().isPresent() ? "a larger --budget" : "--strategy " + PlanSearch.OPTIMAL)
                + " may find a plan that small";
    }
}
