package io.devicearena.wgpu.internal.transfer;

import io.devicearena.WriteBatch;
import io.devicearena.WriteFence;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.wgpu.internal.gpu.DevicePoller;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The host memory that callers have allocated from the arenas of a device, found by its address.
 *
 * <p>Threads: safe for any thread.
 */
public final class UploadMemories {
    private final GpuDevice device;
    private volatile UploadMemory[] all = {};

    UploadMemories(GpuDevice device) {
        this.device = device;
        device.setWhenLost(this::invalidate);
    }

    private void invalidate() {
        for (UploadMemory memory : all) {
            memory.invalidate();
        }
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
            List<UploadMemory> now = new ArrayList<>(List.of(all));
            now.add(made);
            all = now.toArray(UploadMemory[]::new);
        }
        return made;
    }

    synchronized void remove(UploadMemory freed) {
        List<UploadMemory> now = new ArrayList<>(List.of(all));
        now.remove(freed);
        all = now.toArray(UploadMemory[]::new);
    }

    /** The memory in which a source lies, or null for other memory. */
    @Nullable UploadMemory find(MemorySegment source) {
        UploadMemory[] now = all;
        if (now.length > 0 && source.isNative()) {
            for (UploadMemory memory : now) {
                if (memory.covers(source.address(), source.byteSize())) {
                    return memory;
                }
            }
        }
        return null;
    }

    /** Returns the fence of writes that were just begun: done when the host has the memory of all sources. */
    public WriteFence fence(List<WriteBatch.Region> writes) {
        List<UploadMemory> used = new ArrayList<>();
        for (WriteBatch.Region write : writes) {
            UploadMemory memory = find(write.source());
            if (memory != null && !used.contains(memory)) {
                used.add(memory);
            }
        }
        return new Fence(List.copyOf(used));
    }

    /** Threads: safe for any thread. */
    private record Fence(List<UploadMemory> used) implements WriteFence {
        @Override
        public boolean isDone() {
            boolean done = true;
            for (UploadMemory memory : used) {
                done &= memory.isSettled();
            }
            return done;
        }

        @Override
        public void await() {
            awaitUntil(null);
        }

        @Override
        public boolean await(Duration timeout) {
            if (Objects.requireNonNull(timeout, "timeout").isNegative()) {
                throw new IllegalArgumentException("timeout: expected 0 or more, got " + timeout);
            }
            return awaitUntil(timeout);
        }

        private boolean awaitUntil(@Nullable Duration timeout) {
            long begin = System.nanoTime();
            while (!isDone()) {
                long waited = System.nanoTime() - begin;
                if (timeout != null && timeout.compareTo(Duration.ofNanos(waited)) <= 0) {
                    return false;
                }
                DevicePoller.pause(this, waited);
            }
            return true;
        }
    }
}
