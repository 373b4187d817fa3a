package io.devicearena.conformance.topics;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.conformance.junit.ClauseSkippedException;
import io.devicearena.conformance.junit.Outcome;
import io.devicearena.conformance.junit.Subject;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.ValuePlan;
import java.lang.foreign.MemorySegment;
import org.opentest4j.AssertionFailedError;

/**
 * The base of every topic: a device, and arenas on it.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ConformanceTopic {
    /**
     * The provider and device under test.
     *
     * @return the provider and its device
     */
    Subject subject();

    /**
     * Returns whether this run fails when the provider is not available.
     *
     * @return true when {@code DEVICEARENA_REQUIRE} names it
     */
    boolean isRequired();

    /**
     * The device under test. Without one the test ends here: skipped, or failed when the provider is required.
     *
     * @return the device
     */
    default ArenaDevice device() {
        Subject subject = subject();
        if (subject.device().isPresent()) {
            return subject.device().get();
        }
        String why = "provider '" + subject.providerName() + "': " + subject.absence();
        if (isRequired()) {
            throw new AssertionFailedError("required but not available, " + why);
        }
        throw new ClauseSkippedException(Outcome.NOT_AVAILABLE, why);
    }

    /**
     * Opens an arena on the device, with default options.
     *
     * @param plan where the values live
     * @return the arena
     */
    default DeviceArena open(MemoryPlan plan) {
        return open(plan, ArenaOptions.defaults());
    }

    /**
     * Opens an arena on the device.
     *
     * @param plan where the values live
     * @param options scratch and label
     * @return the arena
     */
    default DeviceArena open(MemoryPlan plan, ArenaOptions options) {
        return subject().provider().openArena(device(), plan, options);
    }

    /**
     * Opens an arena of the example plan with 16 bytes of scratch, filled with {@code 0x55}.
     *
     * @return the arena
     */
    default DeviceArena openExample() {
        DeviceArena arena = open(ExamplePlan.plan(), ArenaOptions.defaults().withScratchBytes(16));
        arena.writeBytes(0, MemorySegment.ofArray(ExamplePlan.filled()));
        return arena;
    }

    /**
     * Opens an arena of the plan of all types with 16 bytes of scratch, filled with {@code 0x55}.
     *
     * @param options whose scratch is replaced
     * @return the arena
     */
    default DeviceArena openValues(ArenaOptions options) {
        DeviceArena arena = open(ValuePlan.plan(), options.withScratchBytes(16));
        arena.writeBytes(0, MemorySegment.ofArray(ValuePlan.filled()));
        return arena;
    }

    /**
     * Skips the test as unsupported unless the device declares a capability.
     *
     * @param capability what the clause needs
     */
    default void assumeCapability(Capability capability) {
        if (!device().capabilities().contains(capability)) {
            throw new ClauseSkippedException(
                    Outcome.UNSUPPORTED, "needs " + capability + ", which " + subject() + " does not declare");
        }
    }

    /**
     * Skips the test: it does not apply to this device, or this machine is too small for it.
     *
     * @param why the reason, for the report
     * @return never; the type lets a caller write {@code throw skip(…)}
     */
    default RuntimeException skip(String why) {
        return new ClauseSkippedException(Outcome.LEFT_OUT, subject() + ", " + why);
    }

    /**
     * Says for the report how often a clause tried, and how often it met what it is after. A clause may say it several
     * times; the figures add up.
     *
     * @param times how often it tried, 0 or more
     * @param met how often it met what it is after, 0 to {@code times}
     */
    void tried(int times, int met);
}
