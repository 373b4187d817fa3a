package io.devicearena.cli.output;

import io.devicearena.cli.input.PlanInput;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.text.BufferCsv;
import java.io.IOException;
import java.util.Optional;

/**
 * The files that a command writes of a plan.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * @param table the plan as CSV, if it is written
 * @param page the drawing of the plan, if it is written
 */
public record PlanFiles(Optional<OutputFile> table, Optional<OutputFile> page) {
    /**
     * Writes the files.
     *
     * @param input what was planned
     * @param planned the plan
     * @param options how it was planned
     * @throws IOException if writing fails
     */
    public void write(PlanInput input, PlanResult planned, PlanOptions options) throws IOException {
        if (table.isPresent()) {
            table.get().write(target -> BufferCsv.write(planned, target));
        }
        if (page.isPresent()) {
            page.get()
                    .write(PlanPage.of(
                            input.name(),
                            input,
                            planned,
                            options,
                            SegmentTable.of(planned, options).layout())::write);
        }
    }
}
