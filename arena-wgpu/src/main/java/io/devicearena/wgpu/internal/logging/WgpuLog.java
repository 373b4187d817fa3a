package io.devicearena.wgpu.internal.logging;

/** The logger of this backend. Threads: static and stateless; safe for any thread. */
public final class WgpuLog {
    private static final System.Logger LOGGER = System.getLogger("io.devicearena.wgpu");

    private WgpuLog() {}

    /** The logger. */
    public static System.Logger logger() {
        return LOGGER;
    }
}
