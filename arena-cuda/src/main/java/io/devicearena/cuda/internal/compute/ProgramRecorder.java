package io.devicearena.cuda.internal.compute;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.cuda.internal.arena.Uses;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.cuda.kernel.KernelSource;
import io.devicearena.kernel.Binding;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.StepTime;
import io.devicearena.kernel.Workgroups;
import io.devicearena.spi.memory.MirrorEffects;
import io.devicearena.spi.observation.CheckedRange;
import io.devicearena.spi.observation.CheckedStep;
import io.devicearena.spi.observation.ExecutionChecks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Records the steps of a program. Threads: one thread at a time. */
final class ProgramRecorder implements Recorder {
    private final CudaKernels kernels;
    private final List<Step> steps = new ArrayList<>();
    private final List<Uses> used = new ArrayList<>();
    private final MirrorEffects effects;
    /** The name of the next steps; null for that of their kernels. */
    private @Nullable String label;

    /**
     * A step of a program. Threads: immutable.
     *
     * @param enqueue puts it on a stream
     * @param checked what it reads and writes, for an arena with checks
     * @param untimed a dispatch with no time yet; null of other steps
     */
    record Step(
            String label,
            LongConsumer enqueue,
            CheckedStep checked,
            @Nullable StepTime untimed) {}

    /** What a step reads and writes, for an arena with checks. */
    private static final class StepAccess {
        private final List<CheckedRange> reads = new ArrayList<>();
        private final List<CheckedRange> writes = new ArrayList<>();
        private boolean namesReads = true;
        private boolean namesWrites = true;

        void add(List<CheckedRange> ranges, CudaKernels home, Bound.Part part) {
            home.open
                    .checks()
                    .ifPresent(of -> ranges.add(of.range(
                            part.id(), part.bytes().offset(), part.bytes().end())));
        }

        void bind(Bound bound, boolean isWriting, @Nullable List<NodeId> written) {
            boolean isWindow = bound instanceof ArenaWindow;
            boolean isShadow = bound instanceof ArenaWindow window && window.isShadow();
            if (isWindow && bound.parts().isEmpty()) {
                namesReads = false;
                namesWrites &= !isWriting || written != null || isShadow;
            }
            for (Bound.Part part : bound.parts()) {
                if (!isWriting || (written != null && !written.contains(part.id()))) {
                    add(reads, bound.owner(), part);
                } else if (!isShadow) {
                    add(writes, bound.owner(), part);
                }
            }
        }

        Step step(String name, @Nullable StepTime untimed, LongConsumer enqueue) {
            boolean isDispatch = untimed != null;
            CheckedStep checked = new CheckedStep(name, reads, writes, writes, namesReads, namesWrites, isDispatch);
            return new Step(name, enqueue, checked, untimed);
        }
    }

    ProgramRecorder(CudaKernels kernels) {
        this.kernels = kernels;
        this.effects = new MirrorEffects(kernels.backend.mirrors());
    }

    @Override
    public Recorder labelled(String step) {
        label = Objects.requireNonNull(step, "step");
        return this;
    }

    private Recorder inside(Runnable step) {
        kernels.inside(step);
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
                BufferSlot _ = kernels.open.requireSlot(Objects.requireNonNull(id, "written"));
            }
            dispatch(kernel, bindings, workgroups, List.of(written));
        });
    }

    private void dispatch(Kernel kernel, Bindings bindings, Workgroups workgroups, @Nullable List<NodeId> written) {
        if (!(Objects.requireNonNull(kernel, "kernel") instanceof CompiledKernel compiled)
                || compiled.owner.backend != kernels.backend) {
            throw new IllegalArgumentException(
                    "kernel '" + kernel.label() + "': expected a kernel of this arena, got one of another arena");
        }
        DispatchCheck check = new DispatchCheck(kernels, compiled, bindings, workgroups, label);
        List<Bound> bound = check.bound;
        StepAccess access = new StepAccess();
        check.read.forEach(window -> access.bind(window, false, written));
        effects.reads(check.read.stream()
                .filter(ArenaWindow::isShadow)
                .flatMap(ArenaWindow::mirrors)
                .toList());
        check.written.forEach(window -> access.bind(window, true, written));
        check.written.forEach(window -> noteWrites(window, written));
        if (written != null) {
            written.forEach(id -> effects.writes(kernels.open.requireSlot(id)));
        }
        hold(compiled.uses, compiled.toString());
        bound.forEach(this::hold);
        String name = nameOr(compiled.label());
        long[] addresses = bound.stream()
                .mapToLong(each -> each instanceof Bound.Constant ? 0 : each.address())
                .toArray();
        List<NodeId> values = check.written.stream()
                .filter(window -> !window.isShadow())
                .flatMap(window -> window.parts().stream())
                .map(Bound.Part::id)
                .toList();
        StepTime untimed = new StepTime(name, compiled.label(), written == null ? values : written, 0);
        steps.add(access.step(name, untimed, stream -> launch(compiled, bound, addresses, workgroups, stream)));
    }

    /** The name of the next step. */
    private String nameOr(String own) {
        return label == null ? own : label;
    }

    private void noteWrites(ArenaWindow window, @Nullable List<NodeId> written) {
        if (window.isShadow()) {
            for (Bound.Part part : window.parts()) {
                if (part.bytes().equals(kernels.open.requireSlot(part.id()))) { // not a part of the mirror
                    effects.refreshes(part.bytes());
                }
            }
        } else if (written == null) {
            if (window.parts().isEmpty()) {
                effects.writes(new BufferSlot(0, kernels.open.arena().sizeBytes()));
            }
            window.parts().forEach(part -> effects.writes(part.bytes()));
        }
    }

    private void hold(Bound bound) {
        if (bound instanceof DeviceBuffer buffer) {
            hold(buffer.uses, buffer.noun());
        }
    }

    private void hold(Uses uses, String what) {
        if (!uses.acquire()) {
            throw new IllegalStateException(what + " is closed; make it again, or close it later");
        }
        uses.release();
        used.add(uses);
    }

    /** The driver copies the parameters at the launch, also into a graph. */
    private static void launch(
            CompiledKernel kernel, List<Bound> bound, long[] addresses, Workgroups workgroups, long stream) {
        KernelSource source = kernel.source;
        try (Arena call = Arena.ofConfined()) {
            MemorySegment pointers = call.allocate(ValueLayout.JAVA_LONG, Math.max(bound.size(), 1));
            for (int i = 0; i < bound.size(); i++) {
                MemorySegment value;
                if (bound.get(i) instanceof Bound.Constant constant) {
                    value = call.allocate(constant.bytes(), Long.BYTES).copyFrom(constant.value());
                } else {
                    value = call.allocateFrom(ValueLayout.JAVA_LONG, addresses[i]);
                }
                pointers.setAtIndex(ValueLayout.JAVA_LONG, i, value.address());
            }
            long config = call.allocate(Cuda.LAUNCH_BYTES, Long.BYTES).address();
            int[] shape = {
                workgroups.x(), workgroups.y(), workgroups.z(), source.threadsX(), source.threadsY(), source.threadsZ()
            };
            boolean isEarly = source.isEarly() && kernel.isEarlyAllowed;
            Cuda.launch(config, kernel.function, shape, source.sharedBytes(), stream, pointers.address(), isEarly);
        }
    }

    @Override
    public Recorder copy(NodeId from, NodeId to) {
        return inside(() -> {
            BufferSlot source = kernels.open.requireSlot(Objects.requireNonNull(from, "from"));
            BufferSlot target = kernels.open.requireSlot(Objects.requireNonNull(to, "to"));
            if (target.size() < source.size()) {
                throw new IllegalArgumentException("copy: expected " + kernels.describe(to) + " to hold the "
                        + source.size() + " bytes of " + kernels.describe(from) + ", got a slot of " + target.size());
            }
            addCopy(start(from, source, source.size()), 0, start(to, target, source.size()), 0, source.size());
        });
    }

    private ArenaWindow start(NodeId id, BufferSlot slot, long bytes) {
        Bound.Part part = new Bound.Part(id, new BufferSlot(slot.offset(), bytes));
        return new ArenaWindow(kernels, false, slot.offset(), bytes, List.of(part));
    }

    @Override
    public Recorder copy(Binding from, long fromOffset, Binding to, long toOffset, long bytes) {
        return inside(() -> {
            Bound source = copied("from", from, fromOffset, bytes);
            Bound target = copied("to", to, toOffset, bytes);
            if (kernels.isOfWeights(target.owner())) {
                throw new IllegalArgumentException("to: expected a target of this arena, got weights that other arenas"
                        + " use; write weights through the arena that holds them");
            }
            addCopy(source, fromOffset, target, toOffset, bytes);
        });
    }

    private void addCopy(Bound source, long fromOffset, Bound target, long toOffset, long bytes) {
        StepAccess access = new StepAccess();
        access.bind(source, false, null);
        access.bind(target, true, null);
        if (target instanceof ArenaWindow window && !window.isShadow()) {
            effects.writes(new BufferSlot(window.offset() + toOffset, bytes));
        }
        long from = source.address() + fromOffset;
        long to = target.address() + toOffset;
        steps.add(access.step(nameOr("copy"), null, stream -> {
            if (bytes > 0 && from != to) {
                kernels.backend.transfers().copy(from, to, bytes, stream);
            }
        }));
    }

    private Bound copied(String name, Binding binding, long offset, long bytes) {
        if (!(Objects.requireNonNull(binding, name) instanceof Bound bound) || !kernels.binds(bound.owner())) {
            throw new IllegalArgumentException(name + ": expected a binding of this arena, got one of another arena");
        }
        if (bound instanceof Bound.Constant || (bound instanceof DeviceBuffer buffer && buffer.isResult)) {
            throw new IllegalArgumentException(name + ": expected a window or an extra buffer, got " + bound.noun());
        }
        if (offset < 0 || bytes < 0 || bytes > bound.bytes() || offset > bound.bytes() - bytes) {
            throw new IllegalArgumentException(name + ": expected a range within its " + bound.bytes()
                    + " bytes, got offset " + offset + " and length " + bytes);
        }
        hold(bound);
        return bound;
    }

    @Override
    public Recorder refresh(NodeId... nodes) {
        return inside(() -> {
            StepAccess access = new StepAccess();
            List<BufferSlot> slots = new ArrayList<>();
            for (NodeId id : nodes) {
                BufferSlot slot = kernels.requireBytes(Objects.requireNonNull(id, "nodes"), true);
                access.add(access.reads, kernels, new Bound.Part(id, slot));
                slots.add(slot);
            }
            slots.forEach(effects::refreshes);
            steps.add(access.step(
                    nameOr("refresh"), null, stream -> slots.forEach(slot -> kernels.backend.refresh(slot, stream))));
        });
    }

    @Override
    public KernelProgram build() {
        return kernels.inside(() -> {
            List<Uses> held = new ArrayList<>();
            for (Uses each : used) {
                if (!each.acquire()) {
                    held.forEach(Uses::release);
                    throw new IllegalStateException(
                            "program: expected open kernels and buffers, got one that is closed; record it again");
                }
                held.add(each);
            }
            ExecutionChecks checks = kernels.open.checks().orElse(null);
            return new RecordedProgram(kernels, List.copyOf(steps), effects.copy(), List.copyOf(held), checks);
        });
    }
}
