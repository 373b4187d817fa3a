package io.devicearena.diagnostics;

import java.util.List;

/**
 * The attributes of the MBean that {@link MemoryReport#registerMBean} registers. Each is read at the moment of the
 * question.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public interface MemoryReportMXBean {
    /** {@return how many arenas are open, views not counted} */
    int getArenaCount();

    /** {@return the sizes of all arenas together, in bytes} */
    long getArenaBytes();

    /** {@return the sizes of all f16 shadows together, in bytes} */
    long getShadowBytes();

    /** {@return the staging of all devices together, in bytes} */
    long getStagingBytes();

    /** {@return the lines of {@link MemoryReport#table}} */
    List<String> getTable();
}
