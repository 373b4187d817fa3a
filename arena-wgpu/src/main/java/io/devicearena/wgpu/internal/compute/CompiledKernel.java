package io.devicearena.wgpu.internal.compute;

import io.devicearena.kernel.KernelBinding;
import io.devicearena.wgpu.internal.arena.KernelCache;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import io.devicearena.wgpu.internal.gpu.GpuShaderException;
import io.devicearena.wgpu.internal.wgsl.WgslSource;
import io.devicearena.wgpu.kernel.KernelFacts;
import io.devicearena.wgpu.kernel.KernelSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A kernel, compiled in the variants that its dispatches need: as written, and with some {@code read} bindings compiled
 * as {@code read_write}.
 *
 * <p>Threads: safe for any thread.
 */
final class CompiledKernel {
    /** The most bindings: the bits of a long select those that are compiled as read_write. */
    static final int MAX_BINDINGS = 64;

    /** Identifies the arena. */
    final KernelCache owner;

    final KernelSource source;
    /** The source as it was read. */
    final WgslSource wgsl;

    final List<KernelBinding> bindings;

    /** What was compiled so far, by the bit set of the bindings that are compiled as read_write. */
    private final Map<Long, GpuPipeline> variants = new HashMap<>();

    /** Reads a source; nothing is compiled yet. */
    CompiledKernel(KernelCache owner, KernelSource source, KernelFacts facts) {
        this.owner = owner;
        this.source = source;
        this.wgsl = new WgslSource(source, facts);
        this.bindings = wgsl.bindings();
        if (bindings.size() > MAX_BINDINGS) {
            throw new IllegalArgumentException("kernel '" + source.label() + "': expected at most " + MAX_BINDINGS
                    + " bindings, got " + bindings.size());
        }
    }

    /** Returns the variant in which the bindings of a bit set are compiled as read_write. */
    synchronized GpuPipeline pipeline(long promoted) {
        return variants.computeIfAbsent(promoted, this::compile);
    }

    private GpuPipeline compile(long promoted) {
        List<KernelBinding> compiled = new ArrayList<>();
        for (int i = 0; i < bindings.size(); i++) {
            KernelBinding each = bindings.get(i);
            boolean writable = (promoted >> i & 1) == 1;
            compiled.add(
                    writable
                            ? new KernelBinding(
                                    each.group(), each.number(), each.name(), KernelBinding.Access.READ_WRITE)
                            : each);
        }
        try {
            return owner.pipeline(
                    new GpuPipeline.Program(source.label(), wgsl.text(promoted), wgsl.entryPoint(), compiled));
        } catch (GpuShaderException e) {
            throw wgsl.compileError(promoted, e.report(), e);
        }
    }

    /** Ends the use of everything that was compiled. */
    synchronized void free() {
        variants.values().forEach(owner::releasePipeline);
        variants.clear();
    }
}
