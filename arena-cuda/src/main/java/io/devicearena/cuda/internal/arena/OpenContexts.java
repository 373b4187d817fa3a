package io.devicearena.cuda.internal.arena;

import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.device.InstalledDevice;
import io.devicearena.cuda.internal.transfer.Transfers;
import java.util.HashMap;
import java.util.Map;

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
        private final Key key;
        private int users;

        private Use(Transfers transfers, Key key) {
            this.transfers = transfers;
            this.key = key;
        }
    }

    /** A device, and the context and stream that a caller brings; 0 and 0 for the primary one. Threads: immutable. */
    private record Key(InstalledDevice device, long context, long stream) {}

    private final Map<Key, Use> open = new HashMap<>();

    /** Finds or makes the context for an arena; {@link #release} must follow. */
    synchronized Use acquire(InstalledDevice device, long context, long stream) {
        Key key = new Key(device, context, stream);
        Use use = open.get(key);
        if (use != null && !use.transfers.context().isAlive()) {
            open.remove(key);
            closeUnused(use);
            use = null;
        }
        if (use == null) {
            use = new Use(new Transfers(DeviceContext.open(device, context, stream)), key);
            open.put(key, use);
        }
        use.users++;
        return use;
    }

    /** Adds a user to a context in use; {@link #release} must follow. */
    synchronized void retain(Use use) {
        use.users++;
    }

    synchronized void release(Use use) {
        use.users--;
        closeUnused(use);
    }

    /** Closes a context that is lost, or that a caller brought. */
    private void closeUnused(Use use) {
        boolean lost = open.get(use.key) != use;
        if (use.users == 0 && (lost || use.key.context() != 0)) {
            boolean _ = open.remove(use.key, use);
            use.transfers.close();
        }
    }
}
