package io.devicearena.conformance;

import io.devicearena.Capability;
import org.junit.jupiter.api.function.Executable;

/** Checks how a device refuses calls that it does not support. */
final class Capabilities {
    private Capabilities() {}

    /** Makes a call that needs a capability which the device does not declare. */
    static void checkRefused(ConformanceTopic topic, Capability capability, Executable call) {
        UnsupportedOperationException thrown = Check.assertRefused(
                UnsupportedOperationException.class, "a call that needs " + capability + ", not declared", call);
        Check.same(
                "message of that refusal",
                capability + ": not a capability of provider '"
                        + topic.subject().providerName() + "' on '"
                        + topic.device().name() + "'",
                String.valueOf(thrown.getMessage()));
    }
}
