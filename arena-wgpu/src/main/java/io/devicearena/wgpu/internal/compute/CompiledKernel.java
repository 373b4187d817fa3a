package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.KernelCache;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.DeviceException;
import io.devicearena.DeviceLostException;
import io.devicearena.wgpu.internal.gpu.GpuKernel;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import io.devicearena.wgpu.kernel.Kernel;
import io.devicearena.wgpu.kernel.KernelBinding;
import io.devicearena.wgpu.kernel.KernelSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A kernel in as many forms as its dispatches need: as it was written, and with bindings that read made such that read and
 * write. Threads: safe for any thread.
 */
final class CompiledKernel implements Kernel {
    /** Bits of a long name the bindings that are made writable. */
    static final int MOST_BINDINGS = 64;

    private final KernelCache memory;
    private final KernelSource source;
    private final WgslDeclarations declarations;
    private final List<KernelBinding> bindings;
    private final String entryPoint;
    private final Map<String, Double> constants;

    private CompiledKernel(KernelCache memory, KernelSource source, WgslDeclarations declarations) {
        this.memory = memory;
        this.source = source;
        this.declarations = declarations;
        this.bindings = declarations.declared().stream()
                .map(WgslDeclarations.Declared::binding)
                .toList();
        this.entryPoint = declarations.entryPoint();
        this.constants = declarations.constants();
    }

    static CompiledKernel compile(KernelCache memory, KernelSource source) {
        CompiledKernel kernel = new CompiledKernel(memory, source, WgslDeclarations.of(source));
        if (kernel.bindings.size() > MOST_BINDINGS) {
            throw new IllegalArgumentException("kernel '" + source.label() + "': expected at most " + MOST_BINDINGS
                    + " bindings, got " + kernel.bindings.size());
        }
        kernel.pipeline(0);
        return kernel;
    }

    /** The form in which some of the bindings that read are such that read and write. */
    GpuPipeline pipeline(long promoted) {
        List<GpuPipeline.Entry> entries = new ArrayList<>();
        for (int i = 0; i < bindings.size(); i++) {
            KernelBinding binding = bindings.get(i);
            GpuKernel.Access access =
                    (promoted >> i & 1) == 1 ? GpuKernel.Access.READ_WRITE : WgslDeclarations.access(binding.access());
            entries.add(new GpuPipeline.Entry(binding.group(), binding.number(), access, false));
        }
        try {
            return memory.pipeline(new GpuPipeline.Program(
                    source.label(), declarations.withWriting(promoted), entryPoint, constants, entries));
        } catch (ArenaOutOfMemoryException | DeviceLostException e) {
            throw e;
        } catch (DeviceException e) {
            throw WgslDeclarations.refusedByCompiler(source, e);
        }
    }

    KernelCache memory() {
        return memory;
    }

    @Override
    public KernelSource source() {
        return source;
    }

    @Override
    public List<KernelBinding> bindings() {
        return bindings;
    }
}
