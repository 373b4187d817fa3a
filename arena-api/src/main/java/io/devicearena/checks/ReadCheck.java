package io.devicearena.checks;

import io.devicearena.DType;
import io.devicearena.ExecutionCheckException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether bytes that a step or the host reads are those of the value that it names. Threads: one thread at a time.
 *
 * @param memory what wrote the bytes
 * @param step the label of the step, or null for a read by the host
 */
record ReadCheck(CheckedMemory memory, @Nullable String step) {
    /**
     * Returns what is wrong with the bytes [begin, end) of a value, or null.
     *
     * @param typed whether elements of floats are looked at, to find those that no step wrote
     */
    @Nullable ExecutionCheckException problem(CheckedValue value, long begin, long end, boolean typed) {
        List<WriterMap.Span> spans = memory.writers.spans(begin, end);
        for (WriterMap.Span span : spans) {
            ExecutionCheckException found = problem(value, span);
            if (found != null) {
                return found;
            }
        }
        ExecutionCheckException mixed = mixed(value, begin, end, spans);
        if (mixed != null) {
            return mixed;
        }
        return typed ? unwritten(value, begin, end) : null;
    }

    private @Nullable ExecutionCheckException problem(CheckedValue value, WriterMap.Span span) {
        Writer writer = span.writer();
        if (writer == null) {
            return finding(
                    value,
                    ": expected " + value + " to be written before it is read, got no write of its bytes "
                            + span.begin() + " to " + span.end() + "; " + remedy(value));
        }
        CheckedValue written = writer.value();
        if (written == null) {
            return null;
        }
        if (written.plan() != value.plan()) {
            return written.isSharedWith(value) ? null : taken(value, span, writer, written);
        }
        if (written.root() != value.root()) {
            return taken(value, span, writer, written);
        }
        if (step != null
                && written.isUpdate()
                && !value.isWithin(written)
                && writer.kind() == Writer.Kind.STEP
                && writer.run() == value.plan().run()) {
            return finding(
                    value,
                    ": expected " + value + " before its update, got the bytes of " + written
                            + ", written by step '" + writer.by()
                            + "' in this run; update a state once in a run, and read the update");
        }
        if (writer.kind() == Writer.Kind.STEP
                && !value.isKept()
                && writer.run() < value.plan().run()) {
            return finding(
                    value,
                    ": expected " + value + " of this run, got that of an earlier run, written by step '" + writer.by()
                            + "'; run the step that writes it in each run, before its readers");
        }
        return null;
    }

    private ExecutionCheckException taken(
            CheckedValue value, WriterMap.Span span, Writer writer, CheckedValue written) {
        String by = writer.kind() == Writer.Kind.STEP ? "step '" + writer.by() + "'" : writer.by();
        String graph = written.plan() == value.plan() ? "" : " of another graph";
        return finding(
                value,
                ": expected " + value + " to hold its bytes " + value.begin() + " to " + value.slotEnd()
                        + ", got bytes " + span.begin() + " to " + span.end() + " of " + written + graph
                        + ", written by " + by
                        + "; read the value before, or plan the graph with this read");
    }

    /** A value of which a raw write that began or ended outside of it overwrote a part. */
    private @Nullable ExecutionCheckException mixed(
            CheckedValue value, long begin, long end, List<WriterMap.Span> spans) {
        CheckedValue root = value.root();
        boolean named =
                spans.stream().map(WriterMap.Span::writer).anyMatch(writer -> writer != null && writer.value() != null);
        for (WriterMap.Span span : spans) {
            Writer writer = Objects.requireNonNull(span.writer());
            boolean crosses = writer.begin() < root.begin() || writer.end() > root.slotEnd();
            if (named && writer.kind() == Writer.Kind.RAW && crosses) {
                return finding(
                        value,
                        ": expected " + value + " to hold its bytes " + begin + " to " + end
                                + ", got a raw write of bytes " + writer.begin() + " to " + writer.end()
                                + " over a part of it; bound writes by the value, with writeValue or writeValueBytes");
            }
        }
        return null;
    }

    private @Nullable ExecutionCheckException unwritten(CheckedValue value, long begin, long end) {
        DType dtype = value.dtype();
        if (dtype == null || !FloatBits.isFloat(dtype)) {
            return null;
        }
        int size = dtype.bytes();
        long first = (begin - value.begin() + size - 1) / size;
        long last = (end - value.begin()) / size;
        for (long i = first; i < last; i++) {
            long at = value.begin() + i * size;
            if (FloatBits.isPoison(dtype, memory.known().bits(at, size))) {
                Writer writer = memory.writers.spans(at, at + 1).getFirst().writer();
                boolean byStep = writer != null && writer.kind() == Writer.Kind.STEP;
                return finding(
                        value,
                        ": expected " + value + " to be written whole, got no write of its element " + i
                                + (byStep
                                        ? " by step '"
                                                + Objects.requireNonNull(writer).by() + "'"
                                        : "")
                                + "; write all elements, or set its actual length with setActualLength");
            }
        }
        return null;
    }

    private static String remedy(CheckedValue value) {
        if (value.role() == null) {
            return "write it, or run its step first";
        }
        return switch (value.role()) {
            case INPUT -> "write the input before the run, and all of it or set its actual length";
            case PARAMETER, CONSTANT -> "load it before the first run";
            case STATE -> "write it once";
            case OP, OUTPUT -> "run its step first, or all steps of its parts";
        };
    }

    private ExecutionCheckException finding(CheckedValue value, String what) {
        return new ExecutionCheckException(
                Optional.ofNullable(step),
                Optional.of(value.id()),
                (step == null ? "read" : "step '" + step + "'") + what);
    }
}
