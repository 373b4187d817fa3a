package io.devicearena.conformance;

import io.devicearena.DeviceArena;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/** Memory of an arena and its views; it is freed with the last of them. */
final class ReferenceMemory {
    private final Arena owner;
    private int uses;

    ReferenceMemory(Arena owner) {
        this.owner = owner;
    }

    synchronized Use use(@Nullable DeviceArena weights, String label) {
        if (!owner.scope().isAlive()) {
            throw new IllegalStateException("arena: expected it to be open, got it closed");
        }
        uses++;
        return new Use(this, weights, label);
    }

    private synchronized void release() {
        if (uses == 1 && owner.scope().isAlive()) {
            owner.close();
        }
        uses--;
    }

    /** What one arena holds; it ends on behalf of close or of the garbage collector. */
    static final class Use implements Runnable {
        private final ReferenceMemory memory;
        private final @Nullable DeviceArena weights;
        private final String label;
        private boolean ended;
        private boolean closed;
        volatile boolean silent;

        private Use(ReferenceMemory memory, @Nullable DeviceArena weights, String label) {
            this.memory = memory;
            this.weights = weights;
            this.label = label;
        }

        synchronized void end() {
            closed = true;
            release();
        }

        private void release() {
            if (!ended) {
                memory.release();
                ended = true;
                if (weights != null) {
                    weights.close();
                }
            }
        }

        @Override
        public synchronized void run() {
            release();
            if (!closed && !silent) {
                log(label);
            }
        }

        static void log(String label) {
            System.getLogger("io.devicearena").log(System.Logger.Level.WARNING, "'" + label + "' was dropped");
        }
    }
}
