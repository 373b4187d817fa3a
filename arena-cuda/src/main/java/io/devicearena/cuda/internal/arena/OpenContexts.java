package io.devicearena.cuda.internal.arena;

import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.device.InstalledDevice;
import io.devicearena.cuda.internal.transfer.Transfers;
import java.util.ArrayList;
import java.util.List;

/**
 * The contexts in which arenas are open. The primary context of a device stays until the process ends, since to make
 * one takes a tenth of a second. One that is lost is dropped with its last arena; drivers do not make another in the
 * same process.
 *
 * <p>Threads: safe for any thread.
 */
final class OpenContexts {
    static final OpenContexts OF_PROCESS = new OpenContexts();

    /** A context, and the number of arenas in it and of views of their bytes that callers still read. */
    static final class Use {
        final Transfers transfers;
        private final boolean isPrimary;
        private int users;
        private boolean lost;

        private Use(Transfers transfers, boolean isPrimary) {
            this.transfers = transfers;
            this.isPrimary = isPrimary;
        }

        private DeviceContext context() {
            return transfers.context();
        }
    }

    /** A context and a stream that a caller brings; 0 and 0 for the primary one. Threads: immutable. */
    record Wanted(long context, long stream) {
        boolean isPrimary() {
            return context == 0;
        }
    }

    private final List<Use> open = new ArrayList<>();

    /** Finds or makes the context for an arena; {@link #release} must follow. */
    synchronized Use acquire(InstalledDevice device, Wanted wanted) {
        for (Use use : List.copyOf(open)) {
            boolean same = wanted.isPrimary()
                    ? use.isPrimary && use.context().device().handle() == device.handle()
                    : !use.isPrimary
                            && use.context().handle() == wanted.context()
                            && use.context().stream() == wanted.stream();
            if (same && !use.lost && use.context().isAlive()) {
                use.users++;
                return use;
            }
            if (same) {
                use.lost = true;
                closeUnused(use);
            }
        }
        DeviceContext context = wanted.isPrimary()
                ? DeviceContext.primary(device)
                : DeviceContext.of(device, wanted.context(), wanted.stream());
        try {
            Use made = new Use(new Transfers(context), wanted.isPrimary());
            made.users++;
            open.add(made);
            return made;
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    /** Adds a user to a context in use; {@link #release} must follow. */
    synchronized void retain(Use use) {
        use.users++;
    }

    synchronized void release(Use use) {
        use.users--;
        closeUnused(use);
    }

    private void closeUnused(Use use) {
        if (use.users == 0 && (use.lost || !use.isPrimary)) {
            open.remove(use);
            use.transfers.close();
        }
    }
}
