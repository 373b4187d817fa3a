package io.devicearena.conformance.topics;

import com.sun.management.OperatingSystemMXBean;
import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import java.lang.management.ManagementFactory;

/** Opens arenas that not every machine has room for. */
final class LargeArena {
    /** A test uses at most a third of the free memory, to leave room for other programs. */
    private static final int SHARE = 3;

    private LargeArena() {}

    /** Opens an arena, or skips the test. */
    static DeviceArena open(ConformanceTopic topic, MemoryPlan plan) {
        long needed = plan.arenaSize();
        if (topic.device().kind() != DeviceKind.DISCRETE_GPU
                && ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                && system.getFreeMemorySize() / SHARE < needed) {
            throw topic.skip("the machine has " + system.getFreeMemorySize() + " bytes free, an arena of " + needed
                    + " would take more than a third of them");
        }
        try {
            return topic.open(plan);
        } catch (ArenaOutOfMemoryException e) {
            throw topic.skip("there is no memory for an arena of " + needed + " bytes: " + e.getMessage());
        }
    }
}
