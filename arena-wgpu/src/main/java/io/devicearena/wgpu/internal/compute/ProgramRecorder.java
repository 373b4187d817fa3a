package io.devicearena.wgpu.internal.compute;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.spi.observation.ExecutionChecks;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.builtin.MirrorCast;
import io.devicearena.wgpu.internal.compute.DispatchValidator.BoundWindow;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuLimits;
import io.devicearena.wgpu.internal.transfer.SegmentedBuffer;
import io.devicearena.wgpu.kernel.Binding;
import io.devicearena.wgpu.kernel.Bindings;
import io.devicearena.wgpu.kernel.Kernel;
import io.devicearena.wgpu.kernel.KernelProgram;
import io.devicearena.wgpu.kernel.Recorder;
import io.devicearena.wgpu.kernel.Workgroups;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records the steps of a program. Threads: one thread at a time. */
final class ProgramRecorder implements Recorder {
    /** The bytes of two floats, whose f16 values share a word of the mirror. */
    private static final long PAIR = 8;

    private final ArenaContext arena;
    private final ArenaKernels kernels;
    /** Make the steps, for each program that is built. */
    private final List<StepSource> sources = new ArrayList<>();

    /** The steps so far, and what they hold; with {@link #build} both belong to the program. */
    private List<Step> steps = new ArrayList<>();

    private Holds holds;
    private final List<BoundRange> bound = new ArrayList<>();
    private final MirrorEffects mirrors;
    /** What the steps read and write; null for an arena without checks. */
    private final @Nullable StepUses uses;

    private int count;
    /** The name of the next steps; null for that of their kernels. */
    private @Nullable String label;

    /** Makes a step again, with what it holds. */
    @FunctionalInterface
    private interface StepSource {
        Step make(Holds holds);
    }

    ProgramRecorder(ArenaContext arena, ArenaKernels kernels) {
        this.arena = arena;
        this.kernels = kernels;
        this.mirrors = new MirrorEffects(arena);
        ExecutionChecks checks = arena.checks();
        this.uses = checks == null ? null : new StepUses(arena, checks);
        this.holds = new Holds(arena.backend().kernels());
    }

    @Override
    public Recorder labelled(String step) {
        label = Objects.requireNonNull(step, "step");
        return this;
    }

    @Override
    public Recorder dispatch(Kernel kernel, Bindings bindings, Workgroups workgroups) {
        return inside(() -> dispatch(kernel, bindings, workgroups, null));
    }

    @Override
    public Recorder dispatchWriting(Kernel kernel, Bindings bindings, Workgroups workgroups, NodeId... written) {
        return inside(() -> {
            for (NodeId id : written) {
                BufferSlot _ = arena.open().requireSlot(Objects.requireNonNull(id, "written"));
            }
            dispatch(kernel, bindings, workgroups, List.of(written));
        });
    }

    /**
     * Adds a dispatch.
     *
     * @param named the values that it writes, or null for those of the windows that it may write
     */
    private void dispatch(Kernel kernel, Bindings bindings, Workgroups workgroups, @Nullable List<NodeId> named) {
        DispatchValidator dispatch = validate(kernel, bindings, holds);
        requireFreshMirrors(dispatch);
        addDispatch(dispatch, kernel, bindings, workgroups, true, named == null ? written(dispatch) : named);
        noteReads(dispatch);
        bound.addAll(dispatch.bound());
        if (named == null) {
            dispatch.windows().stream()
                    .filter(BoundWindow::writesValues)
                    .forEach(written -> noteWrites(written.window()));
        } else {
            named.stream().map(arena.open()::requireSlot).forEach(slot -> mirrors.writes(slot.offset(), slot.end()));
        }
        if (uses != null) {
            uses.dispatch(dispatch, named, steps);
        }
    }

    /** The values of the windows that a dispatch may write. */
    private static List<NodeId> written(DispatchValidator dispatch) {
        return dispatch.windows().stream()
                .filter(BoundWindow::writesValues)
                .flatMap(written -> written.window().nodes().stream())
                .distinct()
                .toList();
    }

    private void addDispatch(
            DispatchValidator dispatch,
            Kernel kernel,
            Bindings bindings,
            Workgroups workgroups,
            boolean timed,
            List<NodeId> written) {
        Objects.requireNonNull(workgroups, "workgroups");
        String step = label;
        steps.add(dispatch.step(workgroups, timed, written, holds));
        sources.add(again -> validate(kernel, bindings, step, again).make(workgroups, timed, written, again));
    }

    private void noteWrites(ArenaWindow window) {
        if (window.nodes().isEmpty()) {
            mirrors.writes(0, arena.open().arena().sizeBytes());
        }
        for (BufferSlot range : window.ranges()) {
            mirrors.writes(range.offset(), range.end());
        }
    }

    private DispatchValidator validate(Kernel kernel, Bindings bindings, Holds target) {
        return validate(kernel, bindings, label, target);
    }

    private DispatchValidator validate(Kernel kernel, Bindings bindings, @Nullable String step, Holds target) {
        Objects.requireNonNull(kernel, "kernel");
        Objects.requireNonNull(bindings, "bindings");
        if (!(kernel instanceof KernelHandle handle)
                || handle.kernel().owner() != arena.backend().kernels()) {
            throw new IllegalArgumentException("kernel '" + kernel.source().label()
                    + "': expected a kernel of this arena, got one of another arena");
        }
        handle.hold(target);
        bindings.forEach((_, _, binding) -> hold(binding, target));
        return new DispatchValidator(arena, handle.kernel(), bindings, step);
    }

    private void hold(Binding binding, Holds target) {
        if (binding instanceof BoundRange range && arena.binds(range.owner())) {
            range.hold(target);
        }
    }

    private void requireFreshMirrors(DispatchValidator dispatch) {
        for (BoundWindow read : dispatch.windows()) {
            ArenaWindow window = read.window();
            if (!read.writes() && window.isShadow() && !arena.isOfWeights(window.owner())) {
                window.nodes().forEach(mirrors::requireFresh);
            }
        }
    }

    private void noteReads(DispatchValidator dispatch) {
        for (BoundWindow used : dispatch.windows()) {
            ArenaWindow window = used.window();
            if (window.isShadow()) {
                for (int j = 0; j < window.nodes().size(); j++) {
                    NodeId id = window.nodes().get(j);
                    if (!used.writes()) {
                        mirrors.needs(arena.isOfWeights(window.owner()) ? window.home() : arena, id);
                    } else if (window.ranges()
                            .get(j)
                            .equals(arena.open().requireSlot(id))) { // not a part of the mirror
                        mirrors.refreshes(arena.open().requireSlot(id));
                    }
                }
            }
        }
    }

    @Override
    public Recorder copy(NodeId from, NodeId to) {
        return inside(() -> {
            BufferSlot source = arena.open().requireSlot(Objects.requireNonNull(from, "from"));
            BufferSlot target = arena.open().requireSlot(Objects.requireNonNull(to, "to"));
            if (target.size() < source.size()) {
                throw new IllegalArgumentException("copy: expected " + arena.describe(to) + " to hold the "
                        + source.size() + " bytes of " + arena.describe(from) + ", got a slot of " + target.size());
            }
            requireWords(source.offset(), target.offset(), source.size());
            if (source.size() > 0 && source.offset() != target.offset()) {
                addMove(arena.backend().buffers().arena(), source.offset(), target.offset(), source.size());
                mirrors.writes(target.offset(), target.offset() + source.size());
            }
            if (uses != null) {
                uses.copy(label, from, to, steps);
            }
        });
    }

    @Override
    public Recorder copy(Binding from, long fromOffset, Binding to, long toOffset, long bytes) {
        return inside(() -> {
            BoundRange source = copied("from", from, fromOffset, bytes);
            BoundRange target = copied("to", to, toOffset, bytes);
            requireWords(fromOffset, toOffset, bytes);
            source.hold(holds);
            target.hold(holds);
            GpuBuffer buffer = source.range().buffer();
            long begin = source.range().offset() + fromOffset;
            long end = target.range().offset() + toOffset;
            if (bytes > 0 && buffer == target.range().buffer()) {
                addMove(SegmentedBuffer.of(buffer), begin, end, bytes, from, to);
            } else if (bytes > 0) {
                add(new Step.Copy(buffer, begin, target.range().buffer(), end, bytes), from, to);
            }
            ArenaWindow window = target.window();
            if (bytes > 0 && window != null && !window.isShadow()) {
                mirrors.writes(window.offset() + toOffset, window.offset() + toOffset + bytes);
            }
            if (uses != null) {
                uses.copy(label, source, fromOffset, target, toOffset, bytes, steps);
            }
        });
    }

    private BoundRange copied(String name, Binding binding, long offset, long bytes) {
        if (!(Objects.requireNonNull(binding, name) instanceof BoundRange range) || !arena.binds(range.owner())) {
            throw new IllegalArgumentException(name + ": expected a binding of this arena, got one of another arena");
        }
        if (name.equals("to") && arena.isOfWeights(range.owner())) {
            throw new IllegalArgumentException("to: expected a target of this arena, got weights that other arenas use;"
                    + " write weights through the arena that holds them");
        }
        if (range instanceof UniformWords || range instanceof HostResult) {
            throw new IllegalArgumentException(name + ": expected a window or an extra buffer, got " + range.noun());
        }
        if (offset < 0 || bytes < 0 || bytes > range.bytes() || offset > range.bytes() - bytes) {
            throw new IllegalArgumentException(name + ": expected a range within its " + range.bytes()
                    + " bytes, got offset " + offset + " and length " + bytes);
        }
        return range;
    }

    private static void requireWords(long from, long to, long bytes) {
        if (((from | to | bytes) & 3) != 0) {
            throw new IllegalArgumentException("copy: expected offsets and length in multiples of 4, got " + bytes
                    + " bytes from " + from + " to " + to);
        }
    }

    /** Adds a copy within one memory. */
    private void addMove(SegmentedBuffer within, long from, long to, long bytes, Binding... held) {
        if (from != to) {
            add(new Step.Move(within, from, to, bytes, arena.backend().kernels().bounce(bytes)), held);
        }
    }

    /** Adds a copy, which uses some bindings. */
    private void add(Step step, Binding... held) {
        steps.add(step);
        sources.add(again -> {
            for (Binding each : held) {
                hold(each, again);
            }
            return step;
        });
    }

    @Override
    public Recorder refresh(NodeId... nodes) {
        return inside(() -> {
            arena.requireShadow(); // throws when there is none
            for (NodeId id : nodes) {
                BufferSlot slot = arena.mirrored(Objects.requireNonNull(id, "nodes"));
                addCasts(slot);
                mirrors.refreshes(slot);
            }
            if (uses != null) {
                uses.refresh(label, nodes, steps);
            }
        });
    }

    /** Adds the casts of a value, one for each range of the arena that a binding covers. */
    private void addCasts(BufferSlot slot) {
        Kernel cast = kernels.mirrorCast();
        long elements = slot.size() / Float.BYTES;
        long window = kernels.facts().maxBindingBytes() & -2 * GpuLimits.MAX_BINDING_ALIGNMENT;
        SegmentedBuffer buffers = arena.backend().buffers().arena();
        long end = slot.offset() + (elements + 1) / 2 * PAIR;
        for (long begin = slot.offset(); begin < end; ) {
            int segment = buffers.indexOf(begin);
            long start = buffers.start(segment);
            long base = start + (begin - start) / window * window;
            long stop = Math.min(end, Math.min(base + window, buffers.end(segment)));
            long pairs = (stop - begin) / PAIR;
            long odd = stop == end ? elements & 1 : 0;
            Binding job = kernels.uniform((int) ((begin - base) / PAIR), (int) pairs, (int) odd, 0);
            Bindings bound = Bindings.of(
                            new ArenaWindow.Side(arena, false).part(base, window),
                            new ArenaWindow.Side(arena, true).part(base / 2, window / 2))
                    .with(1, 0, job);
            Workgroups workgroups = Workgroups.of(MirrorCast.workgroups(pairs));
            addDispatch(validate(cast, bound, holds), cast, bound, workgroups, false, List.of());
            begin = stop;
        }
    }

    /** Checks a step while the arena cannot be closed. */
    private Recorder inside(Runnable step) {
        arena.enter();
        try {
            resume();
            int held = holds.size();
            int before = steps.size();
            boolean added = false;
            try {
                step.run();
                added = true;
            } finally {
                if (!added) {
                    holds.releaseTo(held);
                    steps.subList(before, steps.size()).clear();
                    sources.subList(before, sources.size()).clear();
                }
            }
            count++;
            return this;
        } finally {
            arena.leave();
        }
    }

    /** Makes the steps again after a program took them; throws if a kernel or a buffer was closed since. */
    private void resume() {
        if (steps.size() < sources.size()) {
            Holds again = new Holds(arena.backend().kernels());
            try {
                List<Step> made = new ArrayList<>();
                sources.forEach(source -> made.add(source.make(again)));
                steps = made;
                holds = again;
            } catch (RuntimeException | Error e) {
                again.release();
                throw e;
            }
        }
    }

    @Override
    public KernelProgram build() {
        arena.enter();
        try {
            resume();
            Step[] taken = steps.toArray(Step[]::new);
            KernelProgram program = new RecordedProgram(
                    arena,
                    taken,
                    mirrors.snapshot(),
                    new BoundResults(bound),
                    holds,
                    count,
                    uses == null ? null : uses.checks());
            steps = new ArrayList<>();
            holds = new Holds(arena.backend().kernels());
            return program;
        } finally {
            arena.leave();
        }
    }
}
