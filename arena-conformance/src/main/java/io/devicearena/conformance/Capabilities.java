package io.devicearena.conformance;

import io.devicearena.Capability;
import org.junit.jupiter.api.function.Executable;

/** How a device refuses what it cannot do. */
final class Capabilities {
    private Capabilities() {}

    /** Makes a call that needs a capability which the device does not declare. */
    static void checkRefused(ConformanceTopic topic, Capability capability, Executable call) {
        UnsupportedOperationException thrown = Check.refused(
                UnsupportedOperationException.class, "a call that needs " + capability + ", not declared", call);
        Check.same(
                "message of that refusal",
                capability + ": not a capability of provider '"
                        + topic.subject().providerName() + "' on '"
                        + topic.device().name() + "'",
                String.valueOf(thrown.getMessage()));
    }
}
