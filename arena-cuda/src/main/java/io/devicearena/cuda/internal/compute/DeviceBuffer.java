package io.devicearena.cuda.internal.compute;

import io.devicearena.DType;
import io.devicearena.cuda.internal.arena.Uses;
import io.devicearena.cuda.internal.driver.AddressSpace;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.kernel.KernelBuffer;
import io.devicearena.kernel.ResultBuffer;
import io.devicearena.spi.CallerMemory;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Memory beside the arena: of the device, or page-locked memory of the host that kernels write results to.
 *
 * <p>Threads: safe for any thread.
 */
final class DeviceBuffer implements Bound, KernelBuffer, ResultBuffer {
    private final CudaKernels owner;
    private final String label;
    private final long address;
    /** Whether it is page-locked memory, which has the same address for the host. */
    final boolean isResult;

    private final long bytes;
    final Uses uses;
    private volatile boolean open = true;

    private DeviceBuffer(CudaKernels owner, String label, long address, boolean isResult, long bytes) {
        this.owner = owner;
        this.label = label;
        this.address = address;
        this.isResult = isResult;
        this.bytes = bytes;
        this.uses = owner.backend.uses(this::free);
    }

    static DeviceBuffer onDevice(CudaKernels owner, String label, long bytes) {
        return new DeviceBuffer(owner, label, owner.backend.transfers().allocateZeroed(bytes), false, bytes);
    }

    static DeviceBuffer onHost(CudaKernels owner, String label, long bytes) {
        long host = Cuda.allocateHost(bytes);
        try {
            AddressSpace.ALL.asSlice(host, bytes).fill((byte) 0);
            return new DeviceBuffer(owner, label, host, true, bytes);
        } catch (RuntimeException | Error e) {
            Cuda.FREE_HOST.call(host);
            throw e;
        }
    }

    private void free() {
        owner.backend.context().enter();
        if (!isResult) {
            Cuda.FREE.call(address); // waits for the device
        } else if (owner.backend.context().settle()) {
            Cuda.FREE_HOST.call(address);
        }
    }

    @Override
    public CudaKernels owner() {
        return owner;
    }

    @Override
    public String noun() {
        return (isResult ? "result buffer '" : "extra buffer '") + label + "'";
    }

    @Override
    public long address() {
        requireOpen();
        return address;
    }

    void requireOpen() {
        if (!open) {
            throw new IllegalStateException(noun() + " is closed; allocate another one, or close it later");
        }
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public void write(long offset, MemorySegment source) {
        requireRange(offset, Objects.requireNonNull(source, "source").byteSize());
        CallerMemory.requireAccess("source", source);
        if (((offset | source.byteSize()) & 3) != 0) {
            throw new IllegalArgumentException(
                    noun() + ": expected an offset and a length in multiples of 4, got offset " + offset
                            + " and length " + source.byteSize());
        }
        if (source.byteSize() > 0) {
            owner.inside(() ->
                    owner.backend.transfers().write(address() + offset, 0, source, null, DType.U8, source.byteSize()));
        }
    }

    @Override
    public void read(long offset, MemorySegment destination) {
        CallerMemory.requireWritable("destination", Objects.requireNonNull(destination, "destination"));
        requireRange(offset, destination.byteSize());
        CallerMemory.requireAccess("destination", destination);
        if (destination.byteSize() > 0) {
            owner.inside(() -> owner.backend
                    .transfers()
                    .read(address() + offset, destination, null, DType.U8, destination.byteSize()));
        }
    }

    private void requireRange(long offset, long length) {
        requireOpen();
        if (offset < 0 || length > bytes || offset > bytes - length) {
            throw new IllegalArgumentException(noun() + ": expected a range within its " + bytes + " bytes, got offset "
                    + offset + " and length " + length);
        }
    }

    @Override
    public void close() {
        open = false;
        uses.close();
    }
}
