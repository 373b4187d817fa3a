package io.devicearena.diagnostics.internal.events;

import io.devicearena.spi.memory.Span;
import io.devicearena.spi.observation.ArenaCall;
import io.devicearena.spi.observation.ArenaIdentity;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Makes the events of arenas; loaded only where the module {@code jdk.jfr} is. Threads: static and stateless; safe for
 * any thread.
 */
final class ArenaEvents {
    private ArenaEvents() {}

    static void opened(ArenaIdentity arena) {
        ArenaOpenEvent event = new ArenaOpenEvent();
        if (event.isEnabled()) {
            event.describe(arena);
            event.commit();
        }
    }

    static void dropped(ArenaIdentity arena, String openedAt) {
        ArenaDropEvent event = new ArenaDropEvent();
        if (event.isEnabled()) {
            event.describe(arena);
            event.openedAt = openedAt;
            event.commit();
        }
    }

    static boolean close(ArenaIdentity arena, BooleanSupplier close) {
        ArenaCloseEvent event = new ArenaCloseEvent();
        event.begin();
        boolean closed = close.getAsBoolean();
        if (closed && event.isEnabled()) {
            event.describe(arena);
            event.commit();
        }
        return closed;
    }

    static boolean areTransfersRecorded() {
        return UploadEvent.isRecorded() || ReadbackEvent.isRecorded() || BatchEvent.isRecorded();
    }

    static void record(ArenaIdentity arena, ArenaCall call, List<Span> spans, Runnable move) {
        switch (call) {
            case WRITE -> transfer(new UploadEvent(), arena, spans.getFirst(), move);
            case READ -> transfer(new ReadbackEvent(), arena, spans.getFirst(), move);
            case CHANGE -> move.run();
            case WRITE_BATCH -> batch("writeBatch", arena, spans, move);
            case READ_BATCH -> batch("readBatch", arena, spans, move);
            case BEGIN_WRITE -> batch("beginWrite", arena, spans, move);
            case BEGIN_READ -> batch("beginRead", arena, spans, move);
        }
    }

    private static void transfer(TransferEvent event, ArenaIdentity arena, Span span, Runnable move) {
        event.begin();
        move.run();
        event.end();
        if (event.shouldCommit()) {
            event.arena = arena.label();
            event.device = arena.device().name();
            event.offset = span.offset();
            event.bytes = span.bytes();
            event.type = span.floats() ? span.dtype().label() : "";
            event.commit();
        }
    }

    private static void batch(String operation, ArenaIdentity arena, List<Span> spans, Runnable move) {
        BatchEvent event = new BatchEvent();
        event.begin();
        move.run();
        event.end();
        if (event.shouldCommit()) {
            event.arena = arena.label();
            event.device = arena.device().name();
            event.operation = operation;
            event.regions = spans.size();
            event.bytes = spans.stream().mapToLong(Span::bytes).sum();
            event.commit();
        }
    }
}
