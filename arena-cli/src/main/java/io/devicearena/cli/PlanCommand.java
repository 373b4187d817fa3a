package io.devicearena.cli;

import io.devicearena.discovery.DeviceArenas;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanReport;
import io.devicearena.plan.PlannedMemory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
            paramLabel = "N",
            description = "Ask whether the plan fits N bytes; exit code 1 when it does not.")
    private @Nullable Long capacity;

    @Option(names = "--report", description = "Print offset, size and node of every slot, in offset order.")
    private boolean report;

    @Override
    public Integer call() throws IOException {
        if (capacity != null && capacity < 0) {
            throw new ParameterException(spec.commandLine(), "--capacity: expected 0 or more bytes, got " + capacity);
        }
        Input input = planFlags.declared(Input.read(Optional.of(file)));
        PlanOptions options = planFlags.options(alignment(input));
        long begun = System.nanoTime();
        PlannedMemory planned = input.plan(options);
        double millis = (System.nanoTime() - begun) / 1e6;
        input.validate(planned, options);
        planFlags.writeFiles(input, planned);
        PrintWriter out = spec.commandLine().getOut();
        Optional<String> tooSmall = capacity == null ? Optional.empty() : tooSmall(planned, capacity);
        if (output.json) {
            Json.print(out, json -> {
                PlanFigures.json(planned, json);
                json.writeNumberField("buffers", input.count());
                json.writeStringField("strategy", planned.strategy());
                json.writeNumberField("millis", millis);
                json.writeBooleanField("valid", true);
                if (capacity != null) {
                    json.writeBooleanField("fits", tooSmall.isEmpty());
                }
            });
        } else if (report) {
            PlanReport.write(planned.plan(), out);
        } else {
            PlanFigures.line(out, "input", input.name() + ", " + Figures.count(input.count()) + " values");
            PlanFigures.text(planned, options, out);
            PlanFigures.line(out, "planned in", String.format(Locale.ROOT, "%.1f ms, proved by the validator", millis));
        }
        out.flush();
        tooSmall.ifPresent(why -> spec.commandLine().getErr().println("arena: " + why));
        return tooSmall.isEmpty() ? 0 : Faults.FAILED;
    }

    /** The alignment of the chosen provider's device, or what is usual for the input when none is named. */
    private long alignment(Input input) {
        return providers.provider().isEmpty()
                ? input.usualAlignment()
                : DeviceArenas.choose(providers.arenaOptions()).limits().alignmentBytes();
    }

    /** Why a plan does not fit, or empty when it does. */
    private static Optional<String> tooSmall(PlannedMemory planned, long capacity) {
        long size = planned.plan().arenaSize();
        long bound = planned.lowerBoundBytes();
        if (size <= capacity) {
            return Optional.empty();
        }
        return Optional.of("capacity: expected a plan of at most " + capacity + " bytes, got " + size + ", "
                + (size - capacity) + " too many; "
                + (bound > capacity
                        ? "no plan fits, since " + bound + " bytes are live at one step, " + (bound - capacity)
                                + " too many"
                        : "the lower bound of " + bound + " would fit, another strategy may reach it"));
    }
}
