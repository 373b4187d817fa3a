package io.devicearena.wgpu.internal.logging;

import io.devicearena.wgpu.ffi.WGPULogCallback;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.raw.AddressSpace;
import io.devicearena.wgpu.internal.raw.NativeText;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;

/**
 * Passes the log of the library to the logger of this backend, line by line: errors as errors, warnings and what it
 * says of a device at {@code DEBUG}, calls at {@code TRACE}. The library makes only the lines that the logger takes
 * when {@link #connect} is called: a level that is changed later counts from the next device that is opened.
 *
 * <p>A line arrives on the thread that made the call, or on one of the library, perhaps while it holds a lock. So a
 * handler of the log must not call an arena.
 *
 * <p>Threads: static; safe for any thread.
 */
public final class NativeLog {
    /** The logger of this backend. */
    public static final System.Logger LOGGER = System.getLogger("io.devicearena.wgpu");

    private NativeLog() {}

    /** Made at first use, when the library is loaded. */
    private static final class Callback {
        static final MemorySegment STUB =
                WGPULogCallback.allocate((level, message, _) -> log(level, message), AddressSpace.PROCESS);

        private Callback() {}
    }

    /** Asks the library, which must be loaded, for the lines that the logger takes now. */
    public static void connect() {
        int level = wanted();
        synchronized (NativeLog.class) {
            if (level != WgpuNative.WGPULogLevel_Off()) {
                WgpuNative.wgpuSetLogCallback(Callback.STUB, MemorySegment.NULL);
            }
            WgpuNative.wgpuSetLogLevel(level);
        }
    }

    /** The most detailed level of the library whose lines the logger takes. */
    private static int wanted() {
        for (int level = WgpuNative.WGPULogLevel_Trace(); level > WgpuNative.WGPULogLevel_Off(); level--) {
            if (LOGGER.isLoggable(levelOf(level))) {
                return level;
            }
        }
        return WgpuNative.WGPULogLevel_Off();
    }

    /** The level of the logger for a level of the library. */
    static Level levelOf(int level) {
        return switch (level) {
            case 1 -> Level.ERROR;
            case 2, 3, 4 -> Level.DEBUG; // it warns of what this backend asks for on purpose, which no user can change
            default -> Level.TRACE;
        };
    }

    @SuppressWarnings("CatchingUnchecked") // whatever a handler throws
    private static void log(int level, MemorySegment message) {
        try {
            LOGGER.log(levelOf(level), "wgpu-native: " + NativeText.of(message).strip());
        } catch (Throwable e) {
            // what leaves a callback ends the process; a log that fails has no other place to say so
        }
    }
}
