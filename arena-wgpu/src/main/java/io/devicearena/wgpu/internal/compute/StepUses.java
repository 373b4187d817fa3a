package io.devicearena.wgpu.internal.compute;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.spi.observation.CheckedRange;
import io.devicearena.spi.observation.CheckedStep;
import io.devicearena.spi.observation.ExecutionChecks;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects what the steps of a program read and write, for an arena with checks. Threads: one thread at a time.
 *
 * <p>A window that is read, or bound as read_write without being written, names what the step reads. A window of the
 * whole arena names nothing.
 */
final class StepUses {
    private final ArenaContext arena;
    private final ExecutionChecks checks;
    private final List<RecordedProgram.Part> parts = new ArrayList<>();
    private int recorded;

    private List<CheckedRange> reads = new ArrayList<>();
    private List<CheckedRange> writes = new ArrayList<>();
    /** The writes through bindings that the kernel reads too. */
    private List<CheckedRange> loads = new ArrayList<>();

    private boolean namesReads = true;
    private boolean namesWrites = true;

    StepUses(ArenaContext arena, ExecutionChecks checks) {
        this.arena = arena;
        this.checks = checks;
    }

    /**
     * Adds a dispatch.
     *
     * @param written the values that it writes, or null for those of the windows that it may write
     * @param steps all steps of the program so far
     */
    void dispatch(DispatchValidator dispatch, @Nullable List<NodeId> written, List<Step> steps) {
        dispatch.windows().forEach(bound -> bind(bound.window(), bound.writes(), bound.loads(), written));
        if (written != null) {
            for (NodeId id : written) {
                if (writes.stream().noneMatch(range -> range.id().equals(id))) {
                    add(writes, arena, id, arena.open().requireSlot(id));
                }
            }
        }
        end(((Step.Dispatch) steps.getLast()).label(), steps, true);
    }

    private void bind(ArenaWindow window, boolean writable, boolean loaded, @Nullable List<NodeId> written) {
        if (window.nodes().isEmpty()) {
            namesReads = false;
            namesWrites &= !writable || written != null || window.isShadow();
        }
        for (int i = 0; i < window.nodes().size(); i++) {
            NodeId id = window.nodes().get(i);
            if (!writable || (written != null && !written.contains(id))) {
                add(reads, window.home(), id, window.ranges().get(i));
            } else if (!window.isShadow()) {
                add(writes, window.home(), id, window.ranges().get(i));
                if (loaded) {
                    loads.add(writes.getLast());
                }
            }
        }
    }

    /**
     * Adds the copy of a value. That of an op which the plan has in place copies nothing, and still is where the value
     * takes over the bytes of its input.
     */
    void copy(@Nullable String label, NodeId from, NodeId to, List<Step> steps) {
        BufferSlot source = arena.open().requireSlot(from);
        add(reads, arena, from, source);
        add(writes, arena, to, new BufferSlot(arena.open().requireSlot(to).offset(), source.size()));
        end(label == null ? "copy" : label, steps, false);
    }

    /** Adds a copy between bindings. */
    void copy(
            @Nullable String label,
            BoundRange from,
            long fromOffset,
            BoundRange to,
            long toOffset,
            long bytes,
            List<Step> steps) {
        ArenaWindow source = from.window();
        if (source != null) {
            namesReads = !source.nodes().isEmpty();
            addPart(reads, source, fromOffset, bytes);
        }
        ArenaWindow target = to.window();
        if (target != null && !target.isShadow()) {
            namesWrites = !target.nodes().isEmpty();
            addPart(writes, target, toOffset, bytes);
        }
        end(label == null ? "copy" : label, steps, false);
    }

    /** Adds the values of a window, as far as they lie in a part of it. */
    private static void addPart(List<CheckedRange> ranges, ArenaWindow window, long offset, long bytes) {
        int scale = window.isShadow() ? Float.BYTES / Short.BYTES : 1;
        long begin = scale * (window.offset() + offset);
        long end = begin + scale * bytes;
        for (int i = 0; i < window.nodes().size(); i++) {
            BufferSlot range = window.ranges().get(i);
            long first = Math.max(begin, range.offset());
            long last = Math.min(end, range.end());
            if (first < last) {
                add(ranges, window.home(), window.nodes().get(i), new BufferSlot(first, last - first));
            }
        }
    }

    /** Adds the refresh of mirrors. */
    void refresh(@Nullable String label, NodeId[] nodes, List<Step> steps) {
        for (NodeId id : nodes) {
            add(reads, arena, id, arena.open().requireSlot(id));
        }
        end(label == null ? "refresh" : label, steps, false);
    }

    private static void add(List<CheckedRange> ranges, ArenaContext home, NodeId id, BufferSlot bytes) {
        ExecutionChecks of = home.checks();
        if (of != null) {
            ranges.add(of.range(id, bytes.offset(), bytes.end()));
        }
    }

    private void end(String label, List<Step> steps, boolean isMaybeInPlace) {
        CheckedStep step = new CheckedStep(label, reads, writes, loads, namesReads, namesWrites, isMaybeInPlace);
        parts.add(new RecordedProgram.Part(step, recorded, steps.size()));
        recorded = steps.size();
        reads = new ArrayList<>();
        writes = new ArrayList<>();
        loads = new ArrayList<>();
        namesReads = true;
        namesWrites = true;
    }

    /** How a program of the steps so far is checked. */
    RecordedProgram.Checks checks() {
        return new RecordedProgram.Checks(checks, List.copyOf(parts));
    }
}
