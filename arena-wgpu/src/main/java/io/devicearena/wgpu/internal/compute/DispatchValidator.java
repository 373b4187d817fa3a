package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.ArenaContext;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceException;
import io.devicearena.DeviceLostException;
import io.devicearena.NodeId;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import io.devicearena.wgpu.kernel.Binding;
import io.devicearena.wgpu.kernel.Bindings;
import io.devicearena.wgpu.kernel.KernelBinding;
import io.devicearena.wgpu.kernel.Workgroups;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns the caller's dispatch into a step, or says what is wrong with it. What the library would find wrong at a run is
 * found here, by a rehearsal. Threads: one thread at a time.
 */
final class DispatchValidator {
    private final ArenaContext arena;
    private final CompiledKernel kernel;
    private final List<BoundRange> bound = new ArrayList<>();

    DispatchValidator(ArenaContext arena, CompiledKernel kernel, Bindings bindings) {
        this.arena = arena;
        this.kernel = kernel;
        bindings.forEach((group, number, _) -> requireDeclared(group, number));
        for (KernelBinding declared : kernel.bindings()) {
            Binding binding = bindings.at(declared.group(), declared.number())
                    .orElseThrow(() -> wrong("expected all it declares to be bound, got nothing for " + declared));
            if (!(binding instanceof BoundRange range) || range.memory() != arena.kernels()) {
                throw wrong("expected a binding that the kernels of this arena made, got another for " + declared);
            }
            requireSort(declared, range);
            bound.add(range);
        }
        requireNoConflict();
    }

    private void requireDeclared(int group, int number) {
        for (KernelBinding declared : kernel.bindings()) {
            if (declared.group() == group && declared.number() == number) {
                return;
            }
        }
        throw wrong("expected bindings that its source declares, " + kernel.bindings() + ", got group " + group
                + ", binding " + number);
    }

    private void requireSort(KernelBinding declared, BoundRange range) {
        boolean uniform = declared.access() == KernelBinding.Access.UNIFORM;
        if (uniform && (range instanceof ArenaWindow || range instanceof HostResult)) {
            throw wrong(
                    "expected a uniform or an extra buffer for " + declared + ", var<uniform>, got " + range.noun());
        }
        if (!uniform && range instanceof UniformWords) {
            throw wrong("expected a window or an extra buffer for " + declared + ", var<storage>, got " + range.noun());
        }
        long most = arena.device().limits().maxBindingBytes();
        if (!uniform && range.bytes() > most) {
            throw wrong("expected at most " + most + " bytes (maxStorageBufferBindingSize) for " + declared + ", got "
                    + range.bytes());
        }
    }

    private void requireNoConflict() {
        List<ResourceUse> accesses = new ArrayList<>();
        for (int i = 0; i < bound.size(); i++) {
            accesses.addAll(accesses(kernel.bindings().get(i), bound.get(i)));
        }
        for (int i = 0; i < accesses.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (accesses.get(i).isAtOddsWith(accesses.get(j))) {
                    throw wrong("expected bindings that share no bytes where one of them writes, got " + accesses.get(j)
                            + ", and " + accesses.get(i) + "; bind these bytes once, as read_write");
                }
            }
        }
    }

    private List<ResourceUse> accesses(KernelBinding declared, BoundRange range) {
        boolean writes = declared.access() == KernelBinding.Access.READ_WRITE;
        GpuBuffer buffer = range.range().buffer();
        List<ResourceUse> accesses = new ArrayList<>();
        if (range instanceof ArenaWindow window) {
            for (NodeId id : window.nodes()) {
                BufferSlot slot = arena.slot(id);
                accesses.add(new ResourceUse(declared, buffer, id.toString(), slot.offset(), slot.end(), writes));
            }
        } else {
            long begin = range.range().offset();
            accesses.add(new ResourceUse(declared, buffer, range.noun(), begin, begin + range.bytes(), writes));
        }
        return accesses;
    }

    /** What is bound, in the order of the kernel's bindings. */
    List<BoundRange> bound() {
        return bound;
    }

    boolean writes(int place) {
        return kernel.bindings().get(place).access() == KernelBinding.Access.READ_WRITE;
    }

    Step.Dispatch step(Workgroups workgroups, boolean timed) {
        requireWithin("x", workgroups.x());
        requireWithin("y", workgroups.y());
        requireWithin("z", workgroups.z());
        try {
            GpuPipeline pipeline = kernel.pipeline(promoted());
            GpuBindGroup[] groups = new GpuBindGroup[pipeline.groups()];
            for (int group = 0; group < groups.length; group++) {
                groups[group] = group(pipeline, group);
            }
            Step.Dispatch step = new Step.Dispatch(
                    kernel.source().label(), timed, pipeline, groups, workgroups.x(), workgroups.y(), workgroups.z());
            // submitted, to learn whether the library takes it: what is only finished is never given back
            BoundResults results = new BoundResults(bound);
            results.hold();
            try {
                arena.batches().submit(commands -> commands.dispatchNothing(pipeline, groups));
            } finally {
                results.release();
            }
            return step;
        } catch (ArenaOutOfMemoryException | DeviceLostException e) {
            throw e;
        } catch (DeviceException e) {
            throw new IllegalArgumentException(
                    "kernel '" + kernel.source().label() + "': expected bindings that the device takes, got: "
                            + e.getMessage(),
                    e);
        }
    }

    private void requireWithin(String axis, int count) {
        int most = arena.device().limits().maxWorkgroups();
        if (count < 1 || count > most) {
            throw wrong("expected 1 to " + most + " workgroups along " + axis + ", got " + count
                    + "; use more axes, or let each invocation do more");
        }
    }

    /** The bindings that read a buffer of which another binding writes a part: the library wants both to be writable. */
    private long promoted() {
        long promoted = 0;
        for (int i = 0; i < bound.size(); i++) {
            if (kernel.bindings().get(i).access() == KernelBinding.Access.READ && isWrittenElsewhere(i)) {
                promoted |= 1L << i;
            }
        }
        return promoted;
    }

    private boolean isWrittenElsewhere(int place) {
        for (int i = 0; i < bound.size(); i++) {
            if (writes(i)
                    && bound.get(i).range().buffer() == bound.get(place).range().buffer()) {
                return true;
            }
        }
        return false;
    }

    private GpuBindGroup group(GpuPipeline pipeline, int group) {
        List<GpuBindGroup.Range> ranges = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < bound.size(); i++) {
            KernelBinding declared = kernel.bindings().get(i);
            if (declared.group() == group) {
                numbers.add(declared.number());
                ranges.add(bound.get(i).range());
            }
        }
        int[] plain = numbers.stream().mapToInt(Integer::intValue).toArray();
        return arena.kernels().group(pipeline, group, plain, List.copyOf(ranges));
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("kernel '" + kernel.source().label() + "': " + what);
    }
}
