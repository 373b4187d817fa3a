package io.devicearena.cli;

import io.devicearena.plan.BufferCsv;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlannedMemory;
import io.devicearena.plan.strategy.PlacementStrategies;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a command plans, and which files it writes of the plan. */
final class PlanFlags {
    @Option(names = "--strategy", paramLabel = "S", description = "How values are placed; default: ${DEFAULT-VALUE}.")
    private String strategy = PlacementStrategies.all().getFirst().name();

    @Option(
            names = "--align",
            paramLabel = "N",
            description = "Bytes that offsets and sizes are rounded up to, a power of two; default: what the input or"
                    + " the device wants.")
    private @Nullable Long align;

    @Option(names = "--out", paramLabel = "FILE.csv", description = "Write the plan as id,lower,upper,size,offset.")
    private @Nullable Path csv;

    @Option(names = "--html", paramLabel = "FILE", description = "Draw the plan as a page that needs no network.")
    private @Nullable Path html;

    /** The options of an f32 plan, whose alignment is the one asked for, else the usual one. */
    PlanOptions options(long usualAlignment) {
        return PlanOptions.f32Uniform(align == null ? usualAlignment : align)
                .withStrategy(PlacementStrategies.named(strategy));
    }

    /** Writes the files that were asked for. */
    void writeFiles(Input input, PlannedMemory planned) throws IOException {
        if (csv != null) {
            try (Writer target = Files.newBufferedWriter(csv)) {
                BufferCsv.write(planned, target);
            }
        }
        if (html != null) {
            try (Writer target = Files.newBufferedWriter(html)) {
                PlanPage.write(input, planned, target);
            }
        }
    }
}
