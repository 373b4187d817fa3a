package io.devicearena.cli;

import io.devicearena.cli.input.FamilyInput;
import io.devicearena.cli.message.ProgressLine;
import io.devicearena.cli.output.FamilyPage;
import io.devicearena.cli.output.FamilyTable;
import io.devicearena.cli.output.OutputFile;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.PlanOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Plans several graphs in one arena, for {@link PlanCommand}. */
final class FamilyCommand {
    private final OutputOptions output;
    private final PlanningOptions planning;
    private final OptionalLong capacity;

    FamilyCommand(OutputOptions output, PlanningOptions planning, OptionalLong capacity) {
        this.output = output;
        this.planning = planning;
        this.capacity = capacity;
    }

    /**
     * Plans the graphs of files.
     *
     * @param usual the options that hold without options of the command
     */
    int call(List<Path> files, PlanOptions usual) throws IOException {
        Optional<OutputFile> page = planning.familyPage(files);
        FamilyInput input = FamilyInput.read(files, planning.isSharingByOp());
        ProgressLine progress = output.progress();
        try (SigintHandler sigint = new SigintHandler(planning.isSearching())) {
            PlanOptions options = planning.options(usual, planning.search(capacity, progress, sigint::isInterrupted));
            long begun = System.nanoTime();
            FamilyPlan family = input.plan(options);
            double millis = (System.nanoTime() - begun) / 1e6;
            progress.clear();
            input.validate(family);
            if (page.isPresent()) {
                page.get().write(target -> FamilyPage.write(input, family, target));
            }
            return report(new FamilyTable(input, family), millis);
        }
    }

    private int report(FamilyTable table, double millis) throws IOException {
        FamilyPlan family = table.family();
        CapacityCheck fitting = new CapacityCheck(capacity, family.arenaBytes());
        output.print(
                json -> {
                    table.json(json);
                    json.put("strategy", family.options().strategy().name())
                            .put("millis", millis)
                            .put("valid", true);
                    fitting.json(json);
                },
                out -> {
                    table.text(out);
                    out.line("planned in", String.format(Locale.ROOT, "%.1f ms, checked by the validator", millis));
                });
        return fitting.report(output, () -> "plan the largest graph in an arena of its own, or make it smaller");
    }
}
