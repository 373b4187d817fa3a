package io.devicearena.wgpu.internal.compute;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.kernel.Binding;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.Workgroups;
import io.devicearena.spi.memory.MirrorEffects;
import io.devicearena.spi.observation.ExecutionChecks;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.arena.KernelCache;
import io.devicearena.wgpu.internal.builtin.MirrorCast;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.transfer.ArenaBuffers;
import io.devicearena.wgpu.internal.transfer.BindingWindows;
import io.devicearena.wgpu.internal.transfer.SegmentedBuffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Records the steps of a program. Threads: one thread at a time. */
final class ProgramRecorder implements Recorder {
    final ArenaContext arena;
    final List<Step> steps = new ArrayList<>();
    /** What the steps use; it belongs to the program once that is built. */
    final Holds holds;

    final List<BoundRange> bound = new ArrayList<>();
    final MirrorEffects mirrors;
    /** What the steps read and write; null for an arena without checks. */
    final @Nullable CheckedParts checked;

    /** The calls so far that added something to the program. */
    int count;

    private boolean built;
    /** The name of the next steps; null for that of their kernels. */
    private @Nullable String label;

    ProgramRecorder(ArenaContext arena) {
        this.arena = arena;
        this.mirrors = new MirrorEffects(arena.backend().mirrors());
        ExecutionChecks checks = arena.checks();
        this.checked = checks == null ? null : new CheckedParts(checks);
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
        DispatchValidator dispatch = validate(kernel, bindings);
        List<ValueUse> uses = dispatch.uses(named);
        List<NodeId> written = uses.stream()
                .filter(ValueUse::writesValues)
                .flatMap(use -> Stream.ofNullable(use.id()))
                .distinct()
                .toList();
        Objects.requireNonNull(workgroups, "workgroups");
        steps.add(dispatch.step(workgroups, named == null ? written : named, holds));
        mirrors.reads(uses.stream().flatMap(ValueUse::readMirror).toList());
        bound.addAll(dispatch.bound);
        uses.stream().filter(ValueUse::writesMirror).forEach(use -> mirrors.refreshes(use.bytes()));
        uses.stream().filter(ValueUse::writesValues).forEach(use -> mirrors.writes(use.bytes()));
        check(kernel.label(), uses, true);
    }

    /** Notes what the last call did, for an arena with checks. */
    private void check(String name, List<ValueUse> uses, boolean isMaybeInPlace) {
        if (checked != null) {
            checked.add(label == null ? name : label, uses, steps.size(), isMaybeInPlace);
        }
    }

    private DispatchValidator validate(Kernel kernel, Bindings bindings) {
        Objects.requireNonNull(kernel, "kernel");
        Objects.requireNonNull(bindings, "bindings");
        if (!(kernel instanceof KernelHandle handle)
                || handle.kernel.owner != arena.backend().kernels()) {
            throw new IllegalArgumentException(
                    "kernel '" + kernel.label() + "': expected a kernel of this arena, got one of another arena");
        }
        handle.uses.hold(holds);
        bindings.forEach((_, _, binding) -> {
            if (binding instanceof BoundRange range && arena.binds(range.owner)) {
                range.hold(holds);
            }
        });
        return new DispatchValidator(arena, handle.kernel, bindings, label);
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
            BufferSlot written = new BufferSlot(target.offset(), source.size());
            if (source.size() > 0 && source.offset() != target.offset()) {
                addMove(arena.backend().buffers().arena(), source.offset(), target.offset(), source.size());
                mirrors.writes(written);
            }
            // also without a move: there a value takes over the bytes of the input of an op in place
            check("copy", List.of(ValueUse.read(arena, from, source), ValueUse.write(arena, to, written)), false);
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
            GpuBuffer other = target.range().buffer();
            long begin = source.range().offset() + fromOffset;
            long end = target.range().offset() + toOffset;
            if (bytes > 0 && buffer == other) {
                addMove(SegmentedBuffer.of(buffer), begin, end, bytes);
            } else if (bytes > 0) {
                steps.add(commands -> commands.copy(buffer, begin, other, end, bytes));
            }
            List<ValueUse> uses = new ArrayList<>();
            if (source instanceof ArenaWindow read) {
                uses.addAll(read.uses(arena, fromOffset, bytes, false, true));
            }
            if (target instanceof ArenaWindow written && !written.side.shadow()) {
                mirrors.writes(new BufferSlot(written.offset() + toOffset, bytes));
                uses.addAll(written.uses(arena, toOffset, bytes, true, false));
            }
            check("copy", uses, false);
        });
    }

    private BoundRange copied(String name, Binding binding, long offset, long bytes) {
        if (!(Objects.requireNonNull(binding, name) instanceof BoundRange range) || !arena.binds(range.owner)) {
            throw new IllegalArgumentException(name + ": expected a binding of this arena, got one of another arena");
        }
        if (name.equals("to") && arena.isOfWeights(range.owner)) {
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
    private void addMove(SegmentedBuffer within, long from, long to, long bytes) {
        if (from != to) {
            GpuBuffer bounce = arena.backend().kernels().bounce(bytes);
            steps.add(commands -> within.copyWithin(commands, from, to, bytes, bounce));
        }
    }

    @Override
    public Recorder refresh(NodeId... nodes) {
        return inside(() -> {
            arena.requireShadow(); // throws when there is none
            arena.backend().device().checkAlive();
            List<ValueUse> uses = new ArrayList<>();
            for (NodeId id : nodes) {
                BufferSlot slot = arena.mirrored(Objects.requireNonNull(id, "nodes"));
                addCasts(slot);
                uses.add(ValueUse.read(arena, id, slot));
            }
            uses.forEach(use -> mirrors.refreshes(use.bytes()));
            check("refresh", uses, false);
        });
    }

    /** Adds the casts of a value, one for each range of the arena that a binding covers. */
    private void addCasts(BufferSlot slot) {
        KernelCache owner = arena.backend().kernels();
        MirrorCast cast = arena.backend().buffers().cast();
        BindingWindows<GpuBindGroup> windows = arena.backend().buffers().casts();
        long elements = slot.size() / Float.BYTES;
        long end = slot.offset() + (elements + 1) / 2 * ArenaBuffers.PAIR;
        for (long begin = slot.offset(); begin < end; ) {
            int window = windows.indexOf(begin);
            long stop = Math.min(end, windows.end(window));
            long first = (begin - windows.start(window)) / ArenaBuffers.PAIR;
            long pairs = (stop - begin) / ArenaBuffers.PAIR;
            long odd = stop == end ? elements & 1 : 0;
            int[] words = {(int) first, (int) pairs, (int) odd, 0};
            UniformWords job = new UniformWords(owner, MemorySegment.ofArray(words));
            job.hold(holds);
            GpuBindGroup[] groups = {
                windows.at(window), holds.group("mirror cast", cast.pipeline(), 1, List.of(job.range()))
            };
            steps.add(commands -> {
                commands.group(null);
                commands.dispatch(cast.pipeline(), groups, MirrorCast.workgroups(pairs), 1, 1);
            });
            begin = stop;
        }
    }

    /** Checks a step while the arena cannot be closed. */
    private Recorder inside(Runnable step) {
        arena.enter();
        try {
            requireUnbuilt();
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
                }
            }
            count++;
            return this;
        } finally {
            arena.leave();
        }
    }

    private void requireUnbuilt() {
        if (built) {
            throw new IllegalStateException("recorder: its program is built; ask for another recorder");
        }
    }

    @Override
    public KernelProgram build() {
        arena.enter();
        try {
            requireUnbuilt();
            built = true;
            return new RecordedProgram(this);
        } finally {
            arena.leave();
        }
    }
}
