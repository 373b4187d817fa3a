package io.devicearena.wgpu.internal.compute;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceException;
import io.devicearena.DeviceLostException;
import io.devicearena.NodeId;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.arena.KernelCache;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import io.devicearena.wgpu.kernel.Binding;
import io.devicearena.wgpu.kernel.Bindings;
import io.devicearena.wgpu.kernel.KernelBinding;
import io.devicearena.wgpu.kernel.KernelFacts;
import io.devicearena.wgpu.kernel.Workgroups;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks a dispatch and makes a step of it. A trial submission without workgroups finds the errors that the library
 * would report when the program runs.
 *
 * <p>Threads: one thread at a time.
 */
final class DispatchValidator {
    private final ArenaContext arena;
    private final CompiledKernel kernel;
    /** The name of the step, or null for that of the kernel. */
    private final @Nullable String label;

    private final List<BoundRange> bound = new ArrayList<>();

    DispatchValidator(ArenaContext arena, CompiledKernel kernel, Bindings bindings, @Nullable String label) {
        this.arena = arena;
        this.kernel = kernel;
        this.label = label;
        bindings.forEach((group, number, _) -> requireDeclared(group, number));
        for (KernelBinding declared : kernel.bindings()) {
            Binding binding = bindings.at(declared.group(), declared.number())
                    .orElseThrow(() ->
                            wrong("expected a binding for each declaration that it uses, got none for " + declared));
            if (!(binding instanceof BoundRange range) || !arena.binds(range.owner())) {
                throw wrong("expected a binding of this arena, got one of another arena for " + declared);
            }
            if (arena.isOfWeights(range.owner()) && declared.access() == KernelBinding.Access.READ_WRITE) {
                throw wrong(
                        "expected weights that other arenas use to be read only, got " + range.noun() + " of them for "
                                + declared + ", which writes; write weights through the arena that holds them");
            }
            requireKind(declared, range);
            requireBytes(bound.size(), declared, range);
            bound.add(range);
        }
        requireNoConflict();
    }

    /** What the source declares can be bound, also where the entry point does not use it. */
    private void requireDeclared(int group, int number) {
        if (!kernel.declares(group, number)) {
            throw wrong("expected bindings that its source declares, " + kernel.bindings() + ", got group " + group
                    + ", binding " + number);
        }
    }

    private void requireKind(KernelBinding declared, BoundRange range) {
        boolean uniform = declared.access() == KernelBinding.Access.UNIFORM;
        if (uniform && (range.window() != null || range instanceof HostResult)) {
            throw wrong(
                    "expected a uniform or an extra buffer for " + declared + ", var<uniform>, got " + range.noun());
        }
        if (declared.access() == KernelBinding.Access.READ_WRITE && range instanceof UniformWords) {
            throw wrong("expected a window or an extra buffer for " + declared + ", var<storage, read_write>, got "
                    + range.noun());
        }
        KernelFacts limits = arena.backend().device().limits();
        if (!uniform && range.bytes() > limits.maxBindingBytes()) {
            throw wrong("expected at most " + limits.maxBindingBytes() + " bytes (maxStorageBufferBindingSize) for "
                    + declared + ", got " + range.bytes() + "; bind several shorter ones");
        }
        if (uniform && range.bytes() > limits.maxUniformBytes()) {
            throw wrong("expected at most " + limits.maxUniformBytes() + " bytes (maxUniformBufferBindingSize) for "
                    + declared + ", got " + range.bytes() + "; declare it as var<storage, read>");
        }
    }

    /** The library fills uniforms up, and would report a short binding without the names. */
    private void requireBytes(int index, KernelBinding declared, BoundRange range) {
        OptionalLong least = kernel.leastBytes(index);
        if (least.isPresent() && range.filledBytes() < least.getAsLong()) {
            throw wrong("expected at least " + least.getAsLong() + " bytes for " + declared + " of type "
                    + kernel.type(index) + ", got " + range.noun() + " of " + range.filledBytes() + " bytes; "
                    + (range instanceof UniformWords
                            ? "pass each member, and padding as WGSL lays it out"
                            : "bind a longer range, or declare an array without a length"));
        }
    }

    private void requireNoConflict() {
        List<ResourceUse> uses = new ArrayList<>();
        for (int i = 0; i < bound.size(); i++) {
            uses.addAll(uses(kernel.bindings().get(i), bound.get(i)));
        }
        for (int i = 0; i < uses.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (uses.get(i).conflictsWith(uses.get(j))) {
                    throw wrong("expected bindings that share no bytes if one of them writes, got " + uses.get(j)
                            + ", and " + uses.get(i) + "; bind these bytes once, as read_write");
                }
            }
        }
    }

    private List<ResourceUse> uses(KernelBinding declared, BoundRange range) {
        boolean writes = declared.access() == KernelBinding.Access.READ_WRITE;
        GpuBuffer buffer = range.range().buffer();
        List<ResourceUse> uses = new ArrayList<>();
        ArenaWindow window = range.window();
        if (window != null) {
            for (int i = 0; i < window.nodes().size(); i++) {
                BufferSlot used = window.ranges().get(i);
                String name = window.describe(window.nodes().get(i));
                uses.add(new ResourceUse(declared, buffer, name, used.offset(), used.end(), writes));
            }
        } else {
            long begin = range.range().offset();
            uses.add(new ResourceUse(declared, buffer, range.noun(), begin, begin + range.bytes(), writes));
        }
        return uses;
    }

    /**
     * The bytes that one binding of a dispatch reads or writes. Threads: immutable.
     *
     * @param what the name of the bytes in messages
     * @param writes whether the kernel may write them
     */
    private record ResourceUse(
            KernelBinding binding, GpuBuffer buffer, String what, long begin, long end, boolean writes) {
        /** Whether one of two bindings may write bytes that the other one uses. */
        boolean conflictsWith(ResourceUse other) {
            return (writes || other.writes)
                    && !binding.equals(other.binding)
                    && buffer == other.buffer
                    && begin < other.end
                    && other.begin < end;
        }

        @Override
        public String toString() {
            return what + " (bytes " + begin + " to " + end + ") at " + binding + (writes ? ", which writes" : "");
        }
    }

    /** The bound ranges, in the order of the kernel's bindings. */
    List<BoundRange> bound() {
        return bound;
    }

    /**
     * A window of the arena or its shadow that the kernel is bound to. Threads: immutable.
     *
     * @param writes whether the kernel may write to it
     * @param loads whether the kernel may also read what it finds in it
     */
    record BoundWindow(ArenaWindow window, boolean writes, boolean loads) {
        /** Whether the kernel may write to values. */
        boolean writesValues() {
            return writes && !window.isShadow();
        }
    }

    /** The windows among the bound ranges, in their order. */
    List<BoundWindow> windows() {
        List<BoundWindow> windows = new ArrayList<>();
        for (int i = 0; i < bound.size(); i++) {
            ArenaWindow window = bound.get(i).window();
            if (window != null) {
                windows.add(new BoundWindow(window, writes(i), kernel.loads(i)));
            }
        }
        return windows;
    }

    /** Whether the kernel may write to a binding. */
    private boolean writes(int index) {
        return kernel.bindings().get(index).access() == KernelBinding.Access.READ_WRITE;
    }

    /** Creates the step, and submits it once without workgroups. */
    Step.Dispatch step(Workgroups workgroups, boolean timed, List<NodeId> written, Holds holds) {
        requireWithin("x", workgroups.x());
        requireWithin("y", workgroups.y());
        requireWithin("z", workgroups.z());
        try {
            Step.Dispatch step = make(workgroups, timed, written, holds);
            // submitted, not only finished: the library frees the memory of commands when they are submitted
            BoundResults results = new BoundResults(bound);
            results.lock();
            try {
                arena.backend().batches().submit(commands -> commands.dispatchNothing(step.pipeline(), step.groups()));
            } finally {
                results.unlock();
            }
            return step;
        } catch (ArenaOutOfMemoryException | DeviceLostException e) {
            throw e;
        } catch (DeviceException e) {
            throw new IllegalArgumentException(
                    subject() + ": expected bindings that the device accepts, got: " + e.getMessage(), e);
        }
    }

    /** Creates the step; its bindings must have been tried before. */
    Step.Dispatch make(Workgroups workgroups, boolean timed, List<NodeId> written, Holds holds) {
        GpuPipeline pipeline = kernel.pipeline(promoted());
        GpuBindGroup[] groups = new GpuBindGroup[pipeline.groups()];
        for (int group = 0; group < groups.length; group++) {
            groups[group] = group(pipeline, group, holds);
        }
        return new Step.Dispatch(
                label == null ? kernel.source().label() : label,
                kernel.source().label(),
                written,
                label == null ? null : holds.name(groupName(label, written)),
                timed,
                pipeline,
                groups,
                workgroups.x(),
                workgroups.y(),
                workgroups.z());
    }

    /** The name of a step and of what it writes, for tools of the device. */
    private String groupName(String step, List<NodeId> written) {
        return written.isEmpty()
                ? step
                : written.stream().map(arena::describe).collect(Collectors.joining(", ", step + ": writes ", ""));
    }

    private void requireWithin(String axis, int count) {
        int most = arena.backend().device().limits().maxWorkgroups();
        if (count < 1 || count > most) {
            throw wrong("expected 1 to " + most + " workgroups along " + axis + ", got " + count
                    + "; use more axes, or let each invocation do more");
        }
    }

    /** The bindings that read a buffer to which another binding writes: the library requires both to be writable. */
    private long promoted() {
        long promoted = 0;
        for (int i = 0; i < bound.size(); i++) {
            if (kernel.bindings().get(i).access() == KernelBinding.Access.READ && isWrittenElsewhere(i)) {
                promoted |= 1L << i;
            }
        }
        return promoted;
    }

    private boolean isWrittenElsewhere(int index) {
        for (int i = 0; i < bound.size(); i++) {
            if (writes(i)
                    && bound.get(i).range().buffer() == bound.get(index).range().buffer()) {
                return true;
            }
        }
        return false;
    }

    private GpuBindGroup group(GpuPipeline pipeline, int group, Holds holds) {
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
        List<GpuBindGroup.Range> key = List.copyOf(ranges);
        KernelCache kernels = arena.backend().kernels();
        GpuBindGroup made = kernels.group(kernel.source().label(), pipeline, group, plain, key);
        holds.add(() -> kernels.releaseGroup(pipeline, group, key));
        return made;
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(subject() + ": " + what);
    }

    private String subject() {
        String name = "kernel '" + kernel.source().label() + "'";
        return label == null ? name : "step '" + label + "', " + name;
    }
}
