package io.devicearena.diagnostics.internal.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What wrote each byte of a memory last. Threads: one thread at a time. */
final class WriterMap {
    /** Neighbouring bytes of one writer; its key in the map is where they begin. */
    private record Run(long end, Writer writer) {}

    /** Neighbouring bytes of one writer; null if nothing wrote them. */
    record Span(long begin, long end, @Nullable Writer writer) {}

    private final TreeMap<Long, Run> runs = new TreeMap<>();

    /** Records the writer of the bytes [begin, end). */
    void write(long begin, long end, Writer writer) {
        clear(begin, end);
        if (begin < end) {
            runs.put(begin, new Run(end, writer));
        }
    }

    /** Records that nothing wrote the bytes [begin, end). */
    void clear(long begin, long end) {
        if (begin < end) {
            split(begin);
            split(end);
            runs.subMap(begin, end).clear();
        }
    }

    /** Makes two runs of one that reaches across an offset. */
    private void split(long offset) {
        Map.Entry<Long, Run> across = runs.lowerEntry(offset);
        if (across != null && across.getValue().end() > offset) {
            runs.put(across.getKey(), new Run(offset, across.getValue().writer()));
            runs.put(offset, across.getValue());
        }
    }

    /** The writers of the bytes [begin, end), in order and without gaps. */
    List<Span> spans(long begin, long end) {
        List<Span> spans = new ArrayList<>();
        long next = begin;
        Long first = runs.floorKey(begin);
        if (begin < end) {
            for (Map.Entry<Long, Run> run :
                    runs.subMap(first == null ? begin : first, end).entrySet()) {
                long from = Math.max(run.getKey(), begin);
                long to = Math.min(run.getValue().end(), end);
                if (from < to) {
                    if (next < from) {
                        spans.add(new Span(next, from, null));
                    }
                    spans.add(new Span(from, to, run.getValue().writer()));
                    next = to;
                }
            }
        }
        if (next < end) {
            spans.add(new Span(next, end, null));
        }
        return spans;
    }
}
