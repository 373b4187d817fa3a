package io.devicearena.diagnostics.internal.checks;

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
        ExecutionCheckException found = mixed(value, begin, end, spans);
        if (found == null && typed) {
            found = unwritten(value, begin, end, spans);
        }
        return found == null ? forgotten(value) : found;
    }

    /** A read of a state whose update was forgotten: the one that is read, or that of the run before. */
    private @Nullable ExecutionCheckException forgotten(CheckedValue value) {
        CheckedPlan plan = value.plan();
        CheckedValue state = value.root();
        if (!state.isState() || plan.began() < 0) {
            return null;
        }
        CheckedValue read = value.update();
        if (read != null && read.written() <= plan.endBefore() && !isChanged(state, plan.began())) {
            return finding(
                    value,
                    ": expected " + read + " of this run, got no update of " + state + " since the run began"
                            + "; run the step that writes it in each run, before its readers");
        }
        for (CheckedValue update : step == null || read != null ? List.<CheckedValue>of() : plan.values()) {
            if (update.root() == state
                    && update.isUpdate()
                    && update.written() > 0
                    && update.written() < plan.begunBefore()
                    && update.position() <= plan.reachedBefore()
                    && !isChanged(state, plan.begunBefore())) {
                return finding(
                        value,
                        ": expected " + value + " as the run before updates it, got no write of " + update
                                + " in that run; run the step that writes it in each run");
            }
        }
        return null;
    }

    /** Whether bytes of a state were written since a time, but not by an update that the plan has. */
    private boolean isChanged(CheckedValue state, long since) {
        return memory.anyWritten() >= since
                || memory.writers.spans(state.begin(), state.slotEnd()).stream()
                        .map(WriterMap.Span::writer)
                        .anyMatch(writer -> writer != null
                                && writer.time() >= since
                                && (writer.value() == null || !writer.value().isUpdate()));
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
                && writer.time() >= value.plan().began()) {
            return finding(
                    value,
                    ": expected " + value + " before its update, got the bytes of " + written
                            + ", written by step '" + writer.by()
                            + "' in this run; update a state once in a run, and read the update");
        }
        if (writer.kind() == Writer.Kind.STEP
                && !value.isKept()
                && writer.time() < value.plan().began()) {
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
                                + " over a part of it; bound writes by the value, with writeValueBytes");
            }
        }
        return null;
    }

    /** The first element that still is poison, within the bytes [begin, end) of a value. */
    private @Nullable ExecutionCheckException unwritten(
            CheckedValue value, long begin, long end, List<WriterMap.Span> spans) {
        DType dtype = value.dtype();
        if (dtype == null) {
            return null;
        }
        int unit = Poison.unit(dtype);
        for (WriterMap.Span span : spans) {
            Writer writer = Objects.requireNonNull(span.writer());
            boolean byStep = writer.kind() == Writer.Kind.STEP;
            if (!byStep && !FloatBits.isFloat(dtype)) {
                continue; // the host says which bytes it writes
            }
            long first = (Math.max(begin, span.begin()) - value.begin() + unit - 1) / unit * unit;
            long last = Math.min(end, span.end()) - value.begin();
            for (long at = first; at + unit <= last; at += unit) {
                if (memory.known().bits(value.begin() + at, unit) == Poison.bits(dtype, value.begin() + at)) {
                    return finding(
                            value,
                            ": expected " + value + " to be written whole, got no write of its element "
                                    + at / dtype.bytes()
                                    + (byStep ? " by step '" + writer.by() + "'" : "")
                                    + "; write all elements, or set its actual length with setActualLength");
                }
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
