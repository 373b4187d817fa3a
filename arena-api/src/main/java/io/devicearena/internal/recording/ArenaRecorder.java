package io.devicearena.internal.recording;

import org.jspecify.annotations.Nullable;

/**
 * Reports the events of arenas to the JDK Flight Recorder. The module {@code jdk.jfr} is optional: without it, and
 * while no recording collects an event, its {@code begin…} returns null, allocates nothing and reads no clock.
 *
 * <p>A call that throws reports no event.
 *
 * <p>Threads: static and stateless; safe for any thread.
 */
public final class ArenaRecorder {
    private static final boolean PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private ArenaRecorder() {}

    /** Reports that an arena was opened. */
    public static void opened(ArenaIdentity arena) {
        if (PRESENT && ArenaOpenEvent.isRecorded()) {
            ArenaOpenEvent event = new ArenaOpenEvent();
            event.describe(arena);
            event.commit();
        }
    }

    /** Begins the event of a close; returns null if no recording collects it. */
    public static @Nullable ArenaCloseEvent beginClose() {
        if (!PRESENT || !ArenaCloseEvent.isRecorded()) {
            return null;
        }
        ArenaCloseEvent event = new ArenaCloseEvent();
        event.begin();
        return event;
    }

    /** Ends the event of a close that closed the arena. */
    public static void endClose(@Nullable ArenaCloseEvent event, ArenaIdentity arena) {
        if (event != null) {
            event.describe(arena);
            event.commit();
        }
    }

    /**
     * Reports that an arena was dropped without close.
     *
     * @param openedAt where it was opened; empty if that was not recorded
     */
    public static void dropped(ArenaIdentity arena, String openedAt) {
        if (PRESENT && ArenaDropEvent.isRecorded()) {
            ArenaDropEvent event = new ArenaDropEvent();
            event.describe(arena);
            event.openedAt = openedAt;
            event.commit();
        }
    }

    /** Begins the event of a write; returns null if no recording collects it. */
    public static @Nullable TransferEvent beginUpload() {
        return PRESENT ? UploadEvent.beginIfRecorded() : null;
    }

    /** Begins the event of a read; returns null if no recording collects it. */
    public static @Nullable TransferEvent beginReadback() {
        return PRESENT ? ReadbackEvent.beginIfRecorded() : null;
    }

    /**
     * Ends the event of a write or a read.
     *
     * @param offset where the range begins in the arena
     * @param bytes the bytes of the range
     * @param type the type in the arena, empty for raw bytes
     */
    public static void end(@Nullable TransferEvent event, ArenaIdentity arena, long offset, long bytes, String type) {
        if (event != null) {
            event.end();
            if (event.shouldCommit()) {
                event.arena = arena.label();
                event.device = arena.device().name();
                event.offset = offset;
                event.bytes = bytes;
                event.type = type;
                event.commit();
            }
        }
    }

    /** Begins the event of a batch; returns null if no recording collects it. */
    public static @Nullable BatchEvent beginBatch() {
        if (!PRESENT || !BatchEvent.isRecorded()) {
            return null;
        }
        BatchEvent event = new BatchEvent();
        event.begin();
        return event;
    }

    /**
     * Ends the event of a batch.
     *
     * @param operation the method that was called
     * @param regions the number of ranges
     * @param bytes the bytes of all ranges
     */
    public static void end(@Nullable BatchEvent event, ArenaIdentity arena, String operation, int regions, long bytes) {
        if (event != null) {
            event.end();
            if (event.shouldCommit()) {
                event.arena = arena.label();
                event.device = arena.device().name();
                event.operation = operation;
                event.regions = regions;
                event.bytes = bytes;
                event.commit();
            }
        }
    }
}
