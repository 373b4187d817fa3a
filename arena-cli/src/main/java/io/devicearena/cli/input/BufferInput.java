package io.devicearena.cli.input;

import io.devicearena.cli.message.InputException;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.validation.PlanValidator;
import java.util.List;

/**
 * Buffers with known live ranges.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param file the name of the file
 * @param name the name in reports
 * @param buffers the buffers
 */
public record BufferInput(String file, String name, List<LiveBuffer> buffers) implements PlanInput {
    @Override
    public int count() {
        return buffers.size();
    }

    @Override
    public long usualAlignment() {
        return 1; // the sizes in tables of allocation research are rounded already
    }

    @Override
    public PlanResult plan(PlanOptions options) {
        requireCountable(options.alignment());
        return MemoryPlanner.plan(buffers, options);
    }

    private void requireCountable(long alignment) {
        long left = Long.MAX_VALUE - alignment; // sums of rounded sizes must fit a long too
        for (LiveBuffer buffer : buffers) {
            long size = buffer.size();
            long padding = size <= left ? -size & (alignment - 1) : 0;
            if (size > left - padding) {
                throw new InputException(
                        file,
                        "buffer " + buffer.id().value() + ": expected all sizes, each rounded up to a multiple of "
                                + alignment + ", to add up to at most " + (Long.MAX_VALUE - alignment)
                                + " bytes, got more with its " + size + "; make them smaller");
            }
            left -= size + padding;
        }
    }

    @Override
    public void validate(PlanResult planned, PlanOptions options) {
        PlanValidator.validate(planned.plan(), buffers, options);
    }
}
