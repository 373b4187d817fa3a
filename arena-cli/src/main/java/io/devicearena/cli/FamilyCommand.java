package io.devicearena.cli;

import io.devicearena.cli.input.FamilyInput;
import io.devicearena.cli.message.ErrorReporter;
import io.devicearena.cli.message.ProgressLine;
import io.devicearena.cli.output.FamilyPage;
import io.devicearena.cli.output.FamilyTable;
import io.devicearena.cli.output.JsonDocument;
import io.devicearena.cli.output.OutputFile;
import io.devicearena.cli.output.PlanSummary;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.PlanOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine;

/** Plans several graphs in one arena, for {@link PlanCommand}. */
final class FamilyCommand {
    private final CommandLine command;
    private final PlanningOptions planning;
    private final OptionalLong capacity;
    private final boolean asJson;

    FamilyCommand(CommandLine command, PlanningOptions planning, OptionalLong capacity, boolean asJson) {
        this.command = command;
        this.planning = planning;
        this.capacity = capacity;
        this.asJson = asJson;
    }

    /**
     * Plans the graphs of files.
     *
     * @param usual the options that hold without options of the command
     */
    int call(List<Path> files, PlanOptions usual) throws IOException {
        Optional<OutputFile> page = planning.familyPage(files);
        FamilyInput input = FamilyInput.read(files, planning.isSharingByOp());
        ProgressLine progress = new ProgressLine(command.getErr());
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
        PrintWriter out = command.getOut();
        FamilyPlan family = table.family();
        long missing = family.arenaBytes() - capacity.orElse(Long.MAX_VALUE);
        if (asJson) {
            JsonDocument.print(out, json -> {
                table.json(json);
                json.writeStringField("strategy", family.options().strategy().name());
                json.writeNumberField("millis", millis);
                json.writeBooleanField("valid", true);
                if (capacity.isPresent()) {
                    json.writeNumberField("capacityBytes", capacity.getAsLong());
                    json.writeBooleanField("fits", missing <= 0);
                    json.writeNumberField("missingBytes", Math.max(0, missing));
                }
            });
        } else {
            table.text(out);
            PlanSummary.line(
                    out, "planned in", String.format(Locale.ROOT, "%.1f ms, checked by the validator", millis));
        }
        out.flush();
        if (missing <= 0) {
            return 0;
        }
        command.getErr()
                .println("arena: capacity: expected a plan of at most " + capacity.getAsLong() + " bytes, got "
                        + family.arenaBytes() + ", " + missing + " too many; plan the largest graph in an arena of its"
                        + " own, or make it smaller");
        return ErrorReporter.FAILED;
    }
}
