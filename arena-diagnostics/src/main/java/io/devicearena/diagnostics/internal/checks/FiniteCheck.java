package io.devicearena.diagnostics.internal.checks;

import io.devicearena.DType;
import io.devicearena.ExecutionCheckException;
import io.devicearena.NodeRole;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether floats that were written are numbers. Minus infinity is one, since attention masks are made of it, but not in
 * an output. Threads: immutable.
 *
 * @param step the label of the step, or null for a write by the host
 * @param before the bytes before the write, to look at changed elements only; null to look at all
 * @param now the bytes
 */
record FiniteCheck(@Nullable String step, @Nullable Snapshot before, Snapshot now) {
    /** Returns what is wrong with the elements of a value within the bytes [begin, end), or null. */
    @Nullable ExecutionCheckException problem(CheckedValue value, DType dtype, long begin, long end) {
        int size = dtype.bytes();
        long first = (begin - value.begin() + size - 1) / size;
        long last = (end - value.begin()) / size;
        for (long i = first; i < last; i++) {
            long at = value.begin() + i * size;
            long bits = now.bits(at, size);
            double number = FloatBits.value(dtype, bits);
            boolean wrong = Double.isNaN(number)
                    || number == Double.POSITIVE_INFINITY
                    || (number == Double.NEGATIVE_INFINITY && value.role() == NodeRole.OUTPUT);
            if (wrong && (before == null || before.bits(at, size) != bits)) {
                String remedy = step == null
                        ? dtype == DType.F16
                                ? "f16 holds up to 65504: scale it, or plan another type"
                                : "correct the source"
                        : "look for a division by 0, an overflow, or a range that the step does not own";
                return new ExecutionCheckException(
                        Optional.ofNullable(step),
                        Optional.of(value.id()),
                        (step == null ? "write" : "step '" + step + "'") + ": expected finite elements in " + value
                                + " of " + dtype.label() + ", got " + number + " at element " + i + "; " + remedy);
            }
        }
        return null;
    }
}
