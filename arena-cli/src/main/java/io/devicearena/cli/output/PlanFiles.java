package io.devicearena.cli.output;

import io.devicearena.cli.input.PlannedInput;
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
 * @param timeline a timeline of the plan or of its run, if it is written; the command makes it
 */
public record PlanFiles(Optional<OutputFile> table, Optional<OutputFile> page, Optional<OutputFile> timeline) {
    /**
     * Writes the table and the page.
     *
     * @param planned the plan
     * @throws IOException if writing fails
     */
    public void write(PlannedInput planned) throws IOException {
        if (table.isPresent()) {
            table.get().write(target -> BufferCsv.write(planned.result(), target));
        }
        if (page.isPresent()) {
            SegmentTable segments = SegmentTable.of(planned.plan(), planned.options());
            page.get().write(PlanPage.of(planned.input().name(), planned, segments.layout())::write);
        }
    }
}
