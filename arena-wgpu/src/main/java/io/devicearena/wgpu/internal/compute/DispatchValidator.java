package io.devicearena.wgpu.internal.compute;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.DeviceException;
import io.devicearena.DeviceLostException;
import io.devicearena.NodeId;
import io.devicearena.kernel.Binding;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.KernelBinding;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import io.devicearena.wgpu.kernel.KernelFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    /** The bound ranges, in the order of the kernel's bindings. */
    final List<BoundRange> bound = new ArrayList<>();

    DispatchValidator(ArenaContext arena, CompiledKernel kernel, Bindings bindings, @Nullable String label) {
        this.arena = arena;
        this.kernel = kernel;
        this.label = label;
        bindings.forEach((group, number, _) -> requireDeclared(group, number));
        for (KernelBinding declared : kernel.bindings) {
            Binding binding = bindings.at(declared.group(), declared.number())
                    .orElseThrow(() ->
                            wrong("expected a binding for each declaration that it uses, got none for " + declared));
            if (!(binding instanceof BoundRange range) || !arena.binds(range.owner)) {
                throw wrong("expected a binding of this arena, got one of another arena for " + declared);
            }
            if (arena.isOfWeights(range.owner) && declared.access() == KernelBinding.Access.READ_WRITE) {
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
        if (!kernel.wgsl.declares(group, number)) {
            throw wrong("expected bindings that its source declares, " + kernel.bindings + ", got group " + group
                    + ", binding " + number);
        }
    }

    private void requireKind(KernelBinding declared, BoundRange range) {
        boolean uniform = declared.access() == KernelBinding.Access.UNIFORM;
        if (uniform && (range instanceof ArenaWindow || range instanceof HostResult)) {
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
        Optional<Long> least = kernel.wgsl.leastBytes(index);
        if (least.isPresent() && range.filledBytes() < least.get()) {
            throw wrong("expected at least " + least.get() + " bytes for " + declared + " of type "
                    + kernel.wgsl.type(index) + ", got " + range.noun() + " of " + range.filledBytes() + " bytes; "
                    + (range instanceof UniformWords
                            ? "pass each member, and padding as WGSL lays it out"
                            : "bind a longer range, or declare an array without a length"));
        }
    }

    private void requireNoConflict() {
        for (int i = 0; i < bound.size(); i++) {
            for (int j = 0; j < i; j++) {
                if ((writes(i) || writes(j)) && isSameBuffer(i, j)) {
                    requireNoConflict(i, j);
                }
            }
        }
    }

    private void requireNoConflict(int index, int other) {
        for (BoundRange.Part part : bound.get(index).parts()) {
            for (BoundRange.Part before : bound.get(other).parts()) {
                if (part.begin() < before.end() && before.begin() < part.end()) {
                    throw wrong("expected bindings that share no bytes if one of them writes, got "
                            + text(before, other) + ", and " + text(part, index)
                            + "; bind these bytes once, as read_write");
                }
            }
        }
    }

    private String text(BoundRange.Part part, int index) {
        return part.what() + " (bytes " + part.begin() + " to " + part.end() + ") at " + kernel.bindings.get(index)
                + (writes(index) ? ", which writes" : "");
    }

    private boolean isSameBuffer(int index, int other) {
        return bound.get(index).range().buffer() == bound.get(other).range().buffer();
    }

    /**
     * What the dispatch does with values.
     *
     * @param written the values that it writes, or null for those of the windows that it may write
     */
    List<ValueUse> uses(@Nullable List<NodeId> written) {
        List<ValueUse> uses = new ArrayList<>();
        for (int i = 0; i < bound.size(); i++) {
            if (bound.get(i) instanceof ArenaWindow window) {
                uses.addAll(window.uses(arena, writes(i), kernel.wgsl.loads(i)));
            }
        }
        if (written != null) {
            uses.replaceAll(use -> use.writesValues() && !written.contains(use.id()) ? use.asRead() : use);
            for (NodeId id : written) {
                if (uses.stream().noneMatch(use -> use.writesValues() && id.equals(use.id()))) {
                    uses.add(ValueUse.write(arena, id, arena.open().requireSlot(id)));
                }
            }
        }
        return uses;
    }

    /** Whether the kernel may write to a binding. */
    private boolean writes(int index) {
        return kernel.bindings.get(index).access() == KernelBinding.Access.READ_WRITE;
    }

    /** Creates the step, and submits it once without workgroups. */
    Step.Dispatch step(Workgroups workgroups, List<NodeId> written, Holds holds) {
        requireWithin("x", workgroups.x());
        requireWithin("y", workgroups.y());
        requireWithin("z", workgroups.z());
        try {
            Step.Dispatch step = make(workgroups, written, holds);
            // submitted, not only finished: the library frees the memory of commands when they are submitted
            List<HostResult> results = HostResult.among(bound);
            HostResult.lock(results);
            try {
                arena.backend().batches().submit(commands -> commands.dispatchNothing(step.pipeline(), step.groups()));
            } finally {
                HostResult.unlock(results);
            }
            return step;
        } catch (ArenaOutOfMemoryException | DeviceLostException e) {
            throw e;
        } catch (DeviceException e) {
            throw new IllegalArgumentException(
                    subject() + ": expected bindings that the device accepts, got: " + e.getMessage(), e);
        }
    }

    private Step.Dispatch make(Workgroups workgroups, List<NodeId> written, Holds holds) {
        GpuPipeline pipeline = kernel.pipeline(promoted());
        GpuBindGroup[] groups = new GpuBindGroup[pipeline.groups()];
        for (int group = 0; group < groups.length; group++) {
            groups[group] = group(pipeline, group, holds);
        }
        return new Step.Dispatch(
                label == null ? kernel.source.label() : label,
                kernel.source.label(),
                written,
                label == null ? null : holds.name(groupName(label, written)),
                pipeline,
                groups,
                workgroups);
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
            for (int j = 0; j < bound.size(); j++) {
                if (kernel.bindings.get(i).access() == KernelBinding.Access.READ && writes(j) && isSameBuffer(i, j)) {
                    promoted |= 1L << i;
                }
            }
        }
        return promoted;
    }

    private GpuBindGroup group(GpuPipeline pipeline, int group, Holds holds) {
        List<GpuBindGroup.Range> ranges = new ArrayList<>();
        for (int i = 0; i < bound.size(); i++) {
            if (kernel.bindings.get(i).group() == group) {
                ranges.add(bound.get(i).range());
            }
        }
        return holds.group(kernel.source.label(), pipeline, group, List.copyOf(ranges));
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(subject() + ": " + what);
    }

    private String subject() {
        String name = "kernel '" + kernel.source.label() + "'";
        return label == null ? name : "step '" + label + "', " + name;
    }
}
