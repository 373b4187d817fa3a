package io.devicearena.cuda.internal.device;

import io.devicearena.DeviceException;
import io.devicearena.cuda.internal.driver.Cuda;
import java.io.IOException;
import java.io.InputStream;

/**
 * A context and the one stream on which all work of its arenas runs, in the order of the calls; and the backend's own
 * kernel in it.
 *
 * <p>Threads: safe for any thread.
 */
public final class DeviceContext {
    private static final String COPY_RANGES = "da_copy_ranges";

    private final InstalledDevice device;
    private final long context;
    private final long stream;
    private final boolean owned;

    private volatile boolean isBehindWork;
    private long module;
    private long copyRanges;

    private DeviceContext(InstalledDevice device, long context, long stream, boolean owned) {
        this.device = device;
        this.context = context;
        this.stream = stream;
        this.owned = owned;
    }

    /**
     * Uses a context and a stream of the caller, who keeps them; for the context 0 the primary one, which PyTorch,
     * JCuda and ONNX Runtime share, with a stream of its own.
     */
    public static DeviceContext open(InstalledDevice device, long context, long stream) {
        if (context != 0) {
            return new DeviceContext(device, context, stream, false);
        }
        long primary = Cuda.RETAIN_CONTEXT.answer(device.handle());
        try {
            Cuda.SET_CURRENT.call(primary);
            return new DeviceContext(device, primary, Cuda.CREATE_STREAM.answer(Cuda.STREAM_NON_BLOCKING), true);
        } catch (RuntimeException | Error e) {
            Cuda.RELEASE_CONTEXT.call(device.handle());
            throw e;
        }
    }

    public InstalledDevice device() {
        return device;
    }

    public long handle() {
        return context;
    }

    public long stream() {
        return stream;
    }

    /**
     * Makes the context current on this thread, as the calls that follow need it. Not remembered: other libraries set
     * theirs, and a virtual thread moves to other threads when it waits for a lock.
     */
    public void enter() {
        Cuda.SET_CURRENT.call(context);
    }

    /** Whether the device still answers. */
    public boolean isAlive() {
        enter();
        return Cuda.isAlive(stream);
    }

    /** Waits for all work so far. */
    public void synchronize() {
        isBehindWork = false;
        Cuda.SYNCHRONIZE.call(stream);
    }

    /** The same on a thread whose current context may be another. */
    public void flush() {
        enter();
        synchronize();
    }

    /** Notes work behind which the copy engine begins late to read, or that the device has done all so far. */
    public void noteWork(boolean follows) {
        isBehindWork = follows;
    }

    /** Whether such work may be under way: a kernel, or two copies. */
    public boolean isBehindWork() {
        return isBehindWork;
    }

    /**
     * Waits after a failure, for work that may still use memory of the host.
     *
     * @return whether there is none any more, and the context is current; false once the device is lost
     */
    public boolean settle() {
        for (int i = 0; i < 2; i++) { // what failed once may succeed: the caller reports the first failure
            try {
                flush();
                return true;
            } catch (RuntimeException e) {
                // a lost device touches nothing any more
            }
        }
        return false;
    }

    /** The kernel of the backend, which copies ranges; loaded at its first use. */
    public synchronized long copyRanges() {
        if (copyRanges == 0) {
            Cuda.Loaded loaded = load();
            if (loaded.error() != 0) {
                throw Cuda.failure("cuModuleLoadDataEx of " + COPY_RANGES, loaded.error());
            }
            module = loaded.module();
            copyRanges = Cuda.function(module, COPY_RANGES);
            if (copyRanges == 0) {
                throw new DeviceException(COPY_RANGES + ".ptx: expected a kernel of that name, got none");
            }
        }
        return copyRanges;
    }

    private static Cuda.Loaded load() {
        String file = "/io/devicearena/cuda/" + COPY_RANGES + ".ptx";
        try (InputStream text = DeviceContext.class.getResourceAsStream(file)) {
            if (text == null) {
                throw new DeviceException(file + ": expected this file in arena-cuda, got none");
            }
            return Cuda.loadModule(text.readAllBytes());
        } catch (IOException e) {
            throw new DeviceException(file + ": cannot be read", e);
        }
    }

    /** Frees what it made; of a lost context nothing can be freed one by one. */
    public synchronized void close() {
        if (isAlive()) {
            if (module != 0) {
                Cuda.UNLOAD_MODULE.call(module);
            }
            if (owned) {
                Cuda.DESTROY_STREAM.call(stream);
            }
        }
        if (owned) {
            Cuda.RELEASE_CONTEXT.call(device.handle());
        }
    }
}
