package io.devicearena.kernels.step;

import io.devicearena.NodeId;
import io.devicearena.cuda.kernel.KernelSource;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.KernelBinding.Access;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.CudaRecorder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kernel of a step in CUDA C: its PTX, and what its parameters are, in their order. The PTX are resources, made from
 * {@code src/main/cuda} by {@code tools/cuda/ptx}: {@code NAME.ptx} for any device, and where the source asks for it
 * {@code NAME_80.ptx} or {@code NAME_90.ptx} for compute capability 8.0 or 9.0 and newer. With that for 9.0 a kernel
 * begins while the one in front of it ends, so its source waits for that one ({@code wait_for_last}).
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class CudaKernel {
    private static final String FOLDER = "/io/devicearena/kernels/cuda/";

    /** Compute capability 8.0: the first with tensor cores for TF32. */
    private static final int TENSOR_CORES = 80;

    /** Compute capability 9.0: the first on which a kernel begins while the one in front of it ends. */
    private static final int EARLY_START = 90;

    /** The threads of a block that have an element each: few, so that small values are spread over the device. */
    private static final int ELEMENT_THREADS = 128;

    private final CudaRecorder device;
    private final String name;
    private final List<Access> parameters = new ArrayList<>();
    private Bindings bindings = Bindings.of();
    private int sharedBytes;

    private CudaKernel(CudaRecorder device, String name) {
        this.device = device;
        this.name = name;
    }

    /**
     * Begins a kernel.
     *
     * @param device where the step is recorded
     * @param name that of its file and, behind {@code da_}, of its function
     * @return a kernel without parameters
     */
    public static CudaKernel of(CudaRecorder device, String name) {
        return new CudaKernel(device, name);
    }

    /**
     * Adds a pointer to a value that the kernel reads.
     *
     * @param id the value; null for a null pointer
     * @param bytes the bytes that the kernel uses, 1 or more
     * @return this kernel
     * @throws IllegalArgumentException if the value has no slot, or one that is too small
     */
    public CudaKernel read(@Nullable NodeId id, long bytes) {
        return id == null ? nulls(1) : add(id, bytes, Access.READ);
    }

    /**
     * Adds a pointer to a value that the kernel writes, and may read.
     *
     * @param id the value; null for a null pointer
     * @param bytes the bytes that the kernel uses, 1 or more
     * @return this kernel
     * @throws IllegalArgumentException if the value has no slot, or one that is too small
     */
    public CudaKernel write(@Nullable NodeId id, long bytes) {
        return id == null ? nulls(1) : add(id, bytes, Access.READ_WRITE);
    }

    /**
     * Adds a pointer to a value that the kernel reads, or a null pointer if the value begins where another one does
     * that the kernel writes: then the kernel reads through the pointer to that.
     *
     * @param id the value
     * @param bytes the bytes that the kernel uses, 1 or more
     * @param written the value that the kernel writes
     * @return this kernel
     * @throws IllegalArgumentException if a value has no slot, or one that is too small
     */
    public CudaKernel readBeside(NodeId id, long bytes, NodeId written) {
        return read(device.firstByte(id) == device.firstByte(written) ? null : id, bytes);
    }

    /**
     * Adds a pointer to the f16 mirror of a value, which the kernel reads.
     *
     * @param id the value
     * @return this kernel
     * @throws IllegalArgumentException if the value has no mirror
     * @throws UnsupportedOperationException if the arena has no shadow
     */
    public CudaKernel readMirror(NodeId id) {
        return add(device.kernels().shadowWindow(id), Access.READ);
    }

    /**
     * Adds null pointers, for values that a launch does not have.
     *
     * @param count 0 or more
     * @return this kernel
     */
    public CudaKernel nulls(int count) {
        for (int i = 0; i < count; i++) {
            job(0, 0);
        }
        return this;
    }

    private CudaKernel add(NodeId id, long bytes, Access access) {
        Window window = device.kernels().window(id);
        if (window.bytes() < bytes) {
            throw StepKernel.tooSmall(id, bytes, window.bytes());
        }
        return add(window, access);
    }

    private CudaKernel add(Window window, Access access) {
        bindings = bindings.with(0, parameters.size(), window);
        parameters.add(access);
        return this;
    }

    /**
     * Adds a structure by value.
     *
     * @param words its words of 4 bytes, 1 or more
     * @return this kernel
     */
    public CudaKernel job(int... words) {
        bindings = bindings.with(0, parameters.size(), device.kernels().uniform(words));
        parameters.add(Access.UNIFORM);
        return this;
    }

    /**
     * Adds a structure by value.
     *
     * @param words its words, 1 or more
     * @return this kernel
     */
    public CudaKernel job(Words words) {
        return job(words.toArray());
    }

    /**
     * Sets the shared memory of a block whose size the kernel leaves open.
     *
     * @param bytes 0 or more
     * @return this kernel
     */
    public CudaKernel sharedBytes(int bytes) {
        sharedBytes = bytes;
        return this;
    }

    /**
     * Records one launch.
     *
     * @param label the name of the step
     * @param blocks their number along each axis
     * @param threads of a block, along one axis
     * @throws IllegalArgumentException if a value that is written shares some of its bytes with another one
     * @throws io.devicearena.DeviceException if the device fails
     */
    public void launch(String label, Workgroups blocks, int threads) {
        List<Access> access = List.copyOf(parameters);
        device.launch(
                label, name + access + threads + "," + sharedBytes, () -> source(access, threads), bindings, blocks);
    }

    /**
     * Records one launch with a thread for each element.
     *
     * @param label the name of the step
     * @param elements how many, 1 or more
     * @throws IllegalArgumentException if a value that is written shares some of its bytes with another one
     * @throws io.devicearena.DeviceException if the device fails
     */
    public void launchElements(String label, long elements) {
        launch(label, elements, ELEMENT_THREADS);
    }

    /**
     * Records one launch along one axis.
     *
     * @param label the name of the step
     * @param threads their number in all blocks or less, 1 or more
     * @param ofBlock the threads of a block
     * @throws IllegalArgumentException if a value that is written shares some of its bytes with another one
     * @throws io.devicearena.DeviceException if the device fails
     */
    public void launch(String label, long threads, int ofBlock) {
        launch(label, Workgroups.covering(threads, ofBlock), ofBlock);
    }

    private KernelSource source(List<Access> access, int threads) {
        String early = newer(EARLY_START);
        String newer = early != null ? early : newer(TENSOR_CORES);
        String text = newer != null ? newer : text(name + ".ptx");
        if (text == null) {
            throw new IllegalStateException(FOLDER + name + ".ptx: expected this file in arena-kernels, got none");
        }
        KernelSource source = KernelSource.ptx("da_" + name, text, access.toArray(Access[]::new))
                .withThreads(threads, 1, 1)
                .withSharedBytes(sharedBytes)
                .withLabel(name);
        return early == null ? source : source.withEarlyStart();
    }

    private @Nullable String newer(int capability) {
        return device.kernels().computeCapability() >= capability ? text(name + "_" + capability + ".ptx") : null;
    }

    private static @Nullable String text(String file) {
        try (InputStream in = CudaKernel.class.getResourceAsStream(FOLDER + file)) {
            return in == null ? null : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be read", e);
        }
    }
}
