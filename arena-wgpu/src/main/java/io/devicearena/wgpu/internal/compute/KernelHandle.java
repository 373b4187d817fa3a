package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.kernel.Kernel;
import io.devicearena.wgpu.kernel.KernelBinding;
import io.devicearena.wgpu.kernel.KernelSource;
import java.util.List;
import java.util.function.Consumer;

/** What a call of compile returns: a use of a kernel that others may use too. Threads: safe for any thread. */
final class KernelHandle implements Kernel {
    private final ArenaContext arena;
    private final CompiledKernel kernel;
    private final Consumer<CompiledKernel> release;
    private final Uses uses = new Uses();

    /**
     * Makes a handle.
     *
     * @param release is called once, when neither the handle nor a program uses the kernel
     */
    KernelHandle(ArenaContext arena, CompiledKernel kernel, Consumer<CompiledKernel> release) {
        this.arena = arena;
        this.kernel = kernel;
        this.release = release;
    }

    /** The kernel, which is compiled until the handle is freed. */
    CompiledKernel kernel() {
        return kernel;
    }

    /** Keeps the kernel compiled; throws if the handle is closed. */
    void hold(Holds holds) {
        if (!uses.enter()) {
            throw new IllegalStateException(
                    "kernel '" + source().label() + "' is closed; compile its source again, or close it later");
        }
        holds.add(() -> {
            if (uses.leave()) {
                release.accept(kernel);
            }
        });
    }

    @Override
    public KernelSource source() {
        return kernel.source();
    }

    @Override
    public List<KernelBinding> bindings() {
        return kernel.bindings();
    }

    @Override
    public void close() {
        if (uses.close() && arena.tryEnter()) {
            try {
                release.accept(kernel);
            } finally {
                arena.leave();
            }
        }
    }

    @Override
    public String toString() {
        return "kernel '" + source().label() + "'";
    }
}
