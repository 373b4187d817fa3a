package io.devicearena.wgpu.internal.gpu;

import io.devicearena.DeviceKind;
import io.devicearena.wgpu.internal.raw.AddressSpace;
import java.lang.foreign.ValueLayout;

/**
 * Decides where staging for large uploads is, on a GPU with memory of its own.
 *
 * <p>A buffer that the library maps for writing is in the memory of the GPU there: each store of the host crosses the
 * bus, and a load takes as long as a round trip. A buffer that it maps for reading is in the memory of the host, and
 * the device fetches it. The second way is faster and can be read, so uploads write to a mapping for reading. The
 * interface of the library calls that memory constant; the memory itself takes the data if the caches of the host are
 * coherent with the device. The first use checks that, with {@link #reachesDevice}.
 *
 * <p>Threads: safe for any thread.
 */
final class HostStaging {
    private static final long BYTES = 4096;

    private final GpuDevice device;
    private boolean checked;
    private boolean used;

    HostStaging(GpuDevice device) {
        this.device = device;
    }

    /** Whether large uploads go through the memory of the host. The first call uses the device. */
    synchronized boolean isUsed() {
        if (!checked) {
            GpuAdapter adapter = device.adapter();
            used = adapter.kind() == DeviceKind.DISCRETE_GPU && device.limits().hasResultBuffers() && reachesDevice();
            checked = true;
        }
        return used;
    }

    /** Whether the device gets what the host writes: twice, since the second time caches have old data. */
    boolean reachesDevice() {
        try (Commands commands = new Commands(device);
                StagingBuffer sent = StagingBuffer.inHostMemory(device, BYTES);
                StagingBuffer arrived = StagingBuffer.forReadback(device, BYTES, false)) {
            return arrives(commands, sent, arrived, 0x5ca1ab1e) && arrives(commands, sent, arrived, 0x0ddba11);
        }
    }

    private static boolean arrives(Commands commands, StagingBuffer sent, StagingBuffer arrived, int seed) {
        for (long at = 0; at < BYTES; at += Integer.BYTES) {
            AddressSpace.ALL.set(ValueLayout.JAVA_INT, sent.address() + at, word(seed, at));
        }
        sent.unmap();
        try (Commands recording = commands.begin()) {
            recording.copy(sent.buffer(), 0, arrived.buffer(), 0, BYTES);
            recording.submit();
        }
        sent.beginMap(BYTES);
        arrived.beginMap(BYTES);
        sent.awaitMapped();
        arrived.awaitMapped();
        boolean equal = true;
        for (long at = 0; at < BYTES; at += Integer.BYTES) {
            equal &= AddressSpace.ALL.get(ValueLayout.JAVA_INT, arrived.address() + at) == word(seed, at);
        }
        arrived.unmap();
        return equal;
    }

    private static int word(int seed, long at) {
        return seed * (int) (at + 1);
    }
}
