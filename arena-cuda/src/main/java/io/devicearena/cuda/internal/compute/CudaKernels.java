package io.devicearena.cuda.internal.compute;

import io.devicearena.BufferSlot;
import io.devicearena.Capability;
import io.devicearena.NodeId;
import io.devicearena.cuda.internal.arena.CudaBackend;
import io.devicearena.cuda.kernel.KernelSource;
import io.devicearena.cuda.kernel.Kernels;
import io.devicearena.kernel.Binding;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelBuffer;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.ResultBuffer;
import io.devicearena.kernel.Window;
import io.devicearena.spi.ArenaF16Shadow;
import io.devicearena.spi.CallerMemory;
import io.devicearena.spi.OpenArena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The kernels of an arena or a view. Threads: safe for any thread. */
public final class CudaKernels implements Kernels {
    private static final long MAX_RESULT_BYTES = 64 << 10;

    /** What the driver passes by value: 4 KiB of parameters, of which the pointers take some. */
    private static final long MAX_UNIFORM_BYTES = 4000;

    private static final long UNIT = 16;

    final CudaBackend backend;
    final OpenArena open;
    /** The kernels of the arena whose weights this one uses; null for none. */
    private final @Nullable CudaKernels weights;

    /** Makes the kernels of an arena. */
    public CudaKernels(CudaBackend backend, OpenArena open) {
        this.backend = backend;
        this.open = open;
        this.weights = open.weightsInFront()
                .flatMap(front -> front.arena().unwrap(Kernels.class))
                .map(CudaKernels.class::cast)
                .orElse(null);
    }

    @Override
    public int computeCapability() {
        return inside(() -> backend.context().device().computeCapability());
    }

    String describe(NodeId id) {
        return open.arena().plan().describe(id);
    }

    /** Runs a call during which the arena is not closed. */
    <T> T inside(Supplier<T> call) {
        open.requireOpen();
        open.memory().enter();
        try {
            backend.context().enter();
            return call.get();
        } finally {
            open.memory().leave();
        }
    }

    void inside(Runnable call) {
        Object _ = inside(() -> {
            call.run();
            return this;
        });
    }

    /** Whether steps of this arena can be bound to what an owner made: all of it, or weights to read. */
    boolean binds(CudaKernels owner) {
        return owner.backend == backend || isOfWeights(owner);
    }

    boolean isOfWeights(CudaKernels owner) {
        return owner.backend != backend && weights != null && weights.backend == owner.backend;
    }

    /** Where values of a window are: this arena, or its weights if all of them are there and none is here. */
    private CudaKernels home(boolean shadow, List<NodeId> nodes) {
        open.requireOpen();
        CudaKernels front = weights;
        boolean elsewhere = front != null
                && !nodes.isEmpty()
                && nodes.stream().noneMatch(open.arena()::hasBuffer)
                && nodes.stream().allMatch(front.open.arena()::hasBuffer);
        CudaKernels home = elsewhere ? Objects.requireNonNull(front) : this;
        if (shadow && home.backend.mirrors().shadowBytes() == 0) {
            throw new UnsupportedOperationException(Capability.F16_SHADOW + ": expected an arena with a shadow, got "
                    + home.open.arena() + " without; open it with another F16ShadowMode");
        }
        return home;
    }

    /** The slot of a value that a window can cover. */
    BufferSlot requireBytes(NodeId id, boolean shadow) {
        BufferSlot slot = open.requireSlot(id);
        if (slot.size() < (shadow ? Float.BYTES : 1)) {
            throw new IllegalArgumentException(describe(id) + ": expected a value with "
                    + (shadow ? "one f32 or more" : "bytes") + ", got one of " + slot.size() + " bytes");
        }
        return shadow ? ArenaF16Shadow.requireMirror(open, backend.mirrors(), id) : slot;
    }

    @Override
    public Kernel compile(KernelSource source) {
        Objects.requireNonNull(source, "source");
        return inside(() -> new CompiledKernel(this, source));
    }

    @Override
    public Window arena() {
        return ArenaWindow.whole(home(false, List.of()), false);
    }

    @Override
    public Window window(NodeId... nodes) {
        return ArenaWindow.covering(home(false, List.of(nodes)), false, List.of(nodes));
    }

    @Override
    public Window window(NodeId id, long firstByte, long bytes) {
        return ArenaWindow.ofPart(home(false, List.of(id)), false, id, firstByte, bytes);
    }

    @Override
    public Window shadow() {
        return ArenaWindow.whole(home(true, List.of()), true);
    }

    @Override
    public Window shadowWindow(NodeId... nodes) {
        return ArenaWindow.covering(home(true, List.of(nodes)), true, List.of(nodes));
    }

    @Override
    public Window shadowWindow(NodeId id, long firstByte, long bytes) {
        return ArenaWindow.ofPart(home(true, List.of(id)), true, id, firstByte, bytes);
    }

    @Override
    public KernelBuffer buffer(String label, long bytes) {
        long rounded = rounded(label, bytes, Long.MAX_VALUE - UNIT);
        return inside(() -> DeviceBuffer.onDevice(this, label, rounded));
    }

    @Override
    public ResultBuffer resultBuffer(String label, long bytes) {
        long rounded = rounded(label, bytes, MAX_RESULT_BYTES);
        return inside(() -> DeviceBuffer.onHost(this, label, rounded));
    }

    private static long rounded(String label, long bytes, long most) {
        if (bytes < 1 || bytes > most) {
            throw new IllegalArgumentException("buffer '" + Objects.requireNonNull(label, "label") + "': expected 1 to "
                    + most + " bytes, got " + bytes);
        }
        return bytes + (UNIT - 1) & -UNIT;
    }

    @Override
    public Binding uniform(int... words) {
        return uniform(MemorySegment.ofArray(words));
    }

    @Override
    public Binding uniform(MemorySegment bytes) {
        open.requireOpen();
        CallerMemory.requireAccess("bytes", Objects.requireNonNull(bytes, "bytes"));
        if (bytes.byteSize() < 1 || bytes.byteSize() > MAX_UNIFORM_BYTES) {
            throw new IllegalArgumentException("uniform: expected 1 to " + MAX_UNIFORM_BYTES + " bytes, got "
                    + bytes.byteSize() + "; pass more in a buffer");
        }
        return new Bound.Constant(
                this,
                MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE)).asReadOnly());
    }

    @Override
    public Recorder recorder() {
        open.requireOpen();
        return new ProgramRecorder(this);
    }
}
