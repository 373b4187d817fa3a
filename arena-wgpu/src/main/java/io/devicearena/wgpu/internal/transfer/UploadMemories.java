package io.devicearena.wgpu.internal.transfer;

import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.memory.StagedRead;
import io.devicearena.wgpu.internal.gpu.DevicePoller;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The host memory that callers have allocated from the arenas of a device, found by its address.
 *
 * <p>Threads: safe for any thread.
 */
public final class UploadMemories {
    private final GpuDevice device;
    private volatile List<UploadMemory> all = List.of();

    UploadMemories(GpuDevice device) {
        this.device = device;
        device.setWhenLost(this::invalidate);
    }

    private void invalidate() {
        all.forEach(UploadMemory::invalidate);
    }

    /**
     * Allocates host memory.
     *
     * @throws IllegalArgumentException if it is larger than a buffer of the device
     */
    public HostAllocation allocate(long bytes) {
        long most = device.limits().maxBufferBytes();
        if (bytes > most || UploadMemory.capacity(bytes) > most) {
            throw new IllegalArgumentException("bytes: expected at most " + most
                    + ", the maxBufferSize of the device, got " + bytes + "; allocate several");
        }
        UploadMemory made = new UploadMemory(device, this, bytes);
        synchronized (this) {
            all = Stream.concat(all.stream(), Stream.of(made)).toList();
        }
        return made;
    }

    synchronized void remove(UploadMemory freed) {
        all = all.stream().filter(each -> each != freed).toList();
    }

    /** The memory in which a range of addresses lies, or null for other memory. */
    @Nullable UploadMemory find(long address, long bytes) {
        List<UploadMemory> now = all;
        for (int i = 0; i < now.size(); i++) { // no iterator: a write allocates nothing
            if (now.get(i).covers(address, bytes)) {
                return now.get(i);
            }
        }
        return null;
    }

    /** Returns what the device knows of writes that were just begun: done when the host has the memory of all. */
    public StagedRead pending(List<Span> writes) {
        List<UploadMemory> used = new ArrayList<>();
        for (Span write : writes) {
            MemorySegment source = write.memory();
            UploadMemory memory = source.isNative() ? find(source.address(), source.byteSize()) : null;
            if (memory != null && !used.contains(memory)) {
                used.add(memory);
            }
        }
        return new PendingWrite(List.copyOf(used));
    }

    /** Threads: safe for any thread. */
    private record PendingWrite(List<UploadMemory> used) implements StagedRead {
        @Override
        public boolean hasArrived() {
            boolean done = true;
            for (UploadMemory memory : used) {
                done &= memory.isSettled();
            }
            return done;
        }

        @Override
        public void land() {
            // the device has read the memory
        }

        @Override
        public void release(boolean landed) {
            // the memory is the caller's
        }

        @Override
        public boolean isCancellable() {
            return false;
        }

        @Override
        public void pause(long waitedNanos) {
            DevicePoller.pause(this, waitedNanos);
        }
    }
}
