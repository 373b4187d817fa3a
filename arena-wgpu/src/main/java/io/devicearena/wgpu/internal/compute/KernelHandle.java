package io.devicearena.wgpu.internal.compute;

import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelBinding;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import java.util.List;

/** What a call of compile returns: a use of a kernel that others may use too. Threads: safe for any thread. */
final class KernelHandle implements Kernel {
    /** The kernel, which is compiled until the handle is freed. */
    final CompiledKernel kernel;
    /** The users of the handle: its caller, and programs. */
    final ArenaUses uses;

    /**
     * Makes a handle.
     *
     * @param release is called once, when neither the handle nor a program uses the kernel
     */
    KernelHandle(ArenaContext arena, CompiledKernel kernel, Runnable release) {
        this.kernel = kernel;
        this.uses = new ArenaUses(arena, this + " is closed; compile its source again, or close it later", release);
    }

    @Override
    public String label() {
        return kernel.source.label();
    }

    @Override
    public List<KernelBinding> bindings() {
        return kernel.bindings;
    }

    @Override
    public void close() {
        uses.close();
    }

    @Override
    public String toString() {
        return "kernel '" + label() + "'";
    }
}
