package io.devicearena.conformance.oracle;

import java.util.function.Supplier;

/** Interrupts of a thread that what it does next must not see. */
public final class Interrupts {
    private Interrupts() {}

    /** Makes a call with the interrupt flag off, and sets the flag again, also when the call throws. */
    public static <T> T heldBack(Supplier<T> call) {
        boolean isInterrupted = Thread.interrupted();
        try {
            return call.get();
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
