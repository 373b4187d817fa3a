package io.devicearena.cli.trace;

import io.devicearena.SegmentLayout;
import io.devicearena.cli.input.PlannedInput;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.cli.trace.Pickle.Dictionary;
import io.devicearena.plan.LiveBuffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A plan as a memory snapshot of PyTorch, as if an allocator had served the values one step after another. An address
 * is an offset, and a microsecond is a step. A value that is live at the last step is not freed; one that is live at
 * each step was there before the first event.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * <p><b>Source:</b> "Understanding CUDA Memory Usage" of PyTorch, section "Snapshot API Reference".
 */
public final class PlanSnapshot {
    private final PlanTrace plan;
    private final SegmentLayout segments;
    private final String file;

    private record Change(long step, boolean begins, LiveBuffer buffer) {}

    /**
     * Makes the snapshot of a plan.
     *
     * @param planned the plan
     * @param segments where the segments of its arena end
     */
    public PlanSnapshot(PlannedInput planned, SegmentLayout segments) {
        plan = new PlanTrace(planned);
        file = TerminalText.name(planned.input().name());
        this.segments = segments;
    }

    /**
     * Writes the snapshot.
     *
     * @param target where it is written
     * @throws IOException if writing fails
     */
    public void write(Path target) throws IOException {
        List<LiveBuffer> live = plan.live();
        long end = live.stream().mapToLong(LiveBuffer::endStep).max().orElse(0);
        List<LiveBuffer> kept =
                live.stream().filter(buffer -> buffer.endStep() == end).toList();
        Iterable<Dictionary> events = () -> live.stream()
                .filter(buffer -> buffer.firstStep() > 0 || buffer.endStep() < end)
                .flatMap(buffer -> LongStream.of(buffer.firstStep(), buffer.endStep())
                        .filter(step -> step < end)
                        .mapToObj(step -> new Change(step, step == buffer.firstStep(), buffer)))
                // what ends at a step is freed before its bytes are taken again
                .sorted(Comparator.comparingLong(Change::step).thenComparing(Change::begins))
                .flatMap(this::events)
                .iterator();
        List<Dictionary> all = IntStream.range(0, segments.count())
                .mapToObj(i -> segment(i, kept))
                .toList();
        try (Pickle pickle = new Pickle(Files.newOutputStream(target))) {
            pickle.write(new Dictionary("segments", all, "device_traces", List.of(events)));
        }
    }

    private Stream<Dictionary> events(Change change) {
        LiveBuffer buffer = change.buffer();
        return (change.begins() ? Stream.of("alloc") : Stream.of("free_requested", "free_completed"))
                .map(action -> new Dictionary(
                        "action", action,
                        "addr", plan.offset(buffer),
                        "size", buffer.size(),
                        "stream", 0,
                        "frames", frames(buffer),
                        "time_us", change.step()));
    }

    /** A segment after the last event; its blocks leave no gap, as the viewer expects. */
    private Dictionary segment(int segment, List<LiveBuffer> kept) {
        List<Dictionary> blocks = new ArrayList<>();
        long start = segments.start(segment);
        long bytes = segments.end(segment) - start;
        long at = start;
        long used = 0;
        for (LiveBuffer buffer : kept) {
            if (segments.indexOf(plan.offset(buffer)) == segment) {
                add(blocks, plan.offset(buffer) - at, "inactive", List.of());
                add(blocks, buffer.size(), "active_allocated", frames(buffer));
                at = plan.offset(buffer) + buffer.size();
                used += buffer.size();
            }
        }
        add(blocks, start + bytes - at, "inactive", List.of());
        return new Dictionary(
                "address", start,
                "total_size", bytes,
                "allocated_size", used,
                "device", 0,
                "stream", 0,
                "segment_type", "large",
                "blocks", blocks);
    }

    private static void add(List<Dictionary> blocks, long bytes, String state, List<?> frames) {
        if (bytes > 0) {
            blocks.add(new Dictionary("size", bytes, "requested_size", bytes, "state", state, "frames", frames));
        }
    }

    private List<Dictionary> frames(LiveBuffer buffer) {
        return List.of(new Dictionary("filename", file, "line", buffer.firstStep(), "name", plan.title(buffer.id())));
    }
}
