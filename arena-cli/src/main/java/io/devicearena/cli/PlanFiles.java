package io.devicearena.cli;

import io.devicearena.plan.text.BufferCsv;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import java.io.IOException;
import java.util.Optional;

/**
 * The files that a command writes of a plan.
 *
 * @param table where the plan goes as rows
 * @param page where it is drawn
 */
record PlanFiles(Optional<OutputFile> table, Optional<OutputFile> page) {
    /**
     * Writes those that were asked for.
     *
     * @throws IOException if that fails
     */
    void write(Input input, PlanResult planned, PlanOptions options) throws IOException {
        if (table.isPresent()) {
            table.get().write(target -> BufferCsv.write(planned, target));
        }
        if (page.isPresent()) {
            page.get().write(target -> PlanPage.write(input, planned, options, target));
        }
    }
}
