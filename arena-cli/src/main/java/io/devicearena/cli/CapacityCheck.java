package io.devicearena.cli;

import io.devicearena.cli.json.JsonFields;
import io.devicearena.cli.message.ErrorReporter;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Whether a plan fits the option {@code --capacity}.
 *
 * @param capacity the option
 * @param bytes the size of the arena
 */
record CapacityCheck(OptionalLong capacity, long bytes) {
    /** The bytes that are too many; 0 or less if it fits. */
    private long missing() {
        return bytes - capacity.orElse(Long.MAX_VALUE);
    }

    void json(JsonFields json) {
        if (capacity.isPresent()) {
            json.put("capacityBytes", capacity).put("fits", missing() <= 0).put("missingBytes", Math.max(0, missing()));
        }
    }

    /**
     * Reports that the plan does not fit, if so.
     *
     * @param why what to add
     * @return the exit code
     */
    int report(OutputOptions output, Supplier<String> why) {
        if (missing() <= 0) {
            return 0;
        }
        output.fail("capacity: expected a plan of at most " + capacity.orElseThrow() + " bytes, got " + bytes + ", "
                + missing() + " too many; " + why.get());
        return ErrorReporter.FAILED;
    }
}
