package io.devicearena.spi;

/** Frees an arena's memory once; tells the log when nobody had closed the arena. Must not refer to the arena. */
final class MemoryRelease implements Runnable {
    private static final System.Logger LOG = System.getLogger("io.devicearena");

    private final Runnable memory;
    private final String droppedMessage;
    /** Whether close asked for it; guarded by this object until the cleaner finds the arena unreachable. */
    volatile boolean expected;

    MemoryRelease(Runnable memory, String droppedMessage) {
        this.memory = memory;
        this.droppedMessage = droppedMessage;
    }

    @Override
    public void run() {
        if (!expected) {
            LOG.log(System.Logger.Level.WARNING, droppedMessage);
        }
        memory.run();
    }
}
