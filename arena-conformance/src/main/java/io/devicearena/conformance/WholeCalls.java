package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;

import io.devicearena.Batch;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.HostMemory;
import io.devicearena.MemoryPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import org.opentest4j.AssertionFailedError;

/**
 * Calls on a whole arena, one for each hook of a backend. All of them write the bytes that the arena has already, so
 * each read has one right answer. Several threads make them at once.
 */
final class WholeCalls {
    /** Every byte of the arena. */
    private static final byte BYTE = 0x3E;

    /** Two of these bytes as F16. */
    private static final float ELEMENT = Float.float16ToFloat((short) 0x3E3E);

    /** Calls that each thread makes before the close. */
    private static final int BEFORE = 2;

    private final int size;
    private final MemorySegment filled;
    /** The same bytes as F16, in host floats. */
    private final float[] floats;

    /** How many calls each thread has made. */
    private AtomicIntegerArray made = new AtomicIntegerArray(0);

    private volatile boolean closed;
    private final List<Call> calls = List.of(
            new Call("readBytes", this::read),
            new Call("writeBytes", this::write),
            new Call("readValueBytes", this::readNative),
            new Call("readOutputF32", this::readFloats),
            new Call("readBatch", this::readBatch),
            new Call("beginRead", this::readDeferred),
            new Call("withBytes", this::readMapped),
            new Call("writeInputF32", this::writeFloats),
            new Call("readOutputF32 into native memory", this::readFloatsIntoNative),
            new Call("writeInputF32 out of native memory", this::writeFloatsOutOfNative),
            new Call("writeBytes with progress", this::writeWithProgress),
            new Call("writeBatch", this::writeBatch),
            new Call("beginWrite", this::writeDeferred),
            new Call("fillBytes", this::fill),
            new Call("copyBytes", this::copy),
            new Call("flush", DeviceArena::flush),
            new Call("allocateHost", this::allocateHost),
            new Call("readBytes into host memory", this::moveByHost),
            new Call("view", this::readByView),
            new Call("refresh of a mirror", this::refreshMirror));

    /** A call, with its name for messages. */
    private record Call(String name, Consumer<DeviceArena> move) {}

    WholeCalls(int bytes) {
        this.size = bytes / 8 * 8;
        this.filled = MemorySegment.ofArray(new int[size / 4]).fill(BYTE);
        this.floats = new float[size / 2];
        Arrays.fill(floats, ELEMENT);
    }

    /** Names a call for messages. */
    String name(int which) {
        return calls.get(which % calls.size()).name();
    }

    int count() {
        return calls.size();
    }

    MemoryPlan plan() {
        return ExamplePlan.node1(size);
    }

    /** Writes what every call of this class expects, before the calls of a round begin. */
    void begin(DeviceArena arena, int callers) {
        arena.writeBytes(0, filled);
        made = new AtomicIntegerArray(callers);
        closed = false;
    }

    /** Makes one of the calls over and over until the arena is closed, or its closer has failed. */
    void untilClosed(DeviceArena arena, int caller, int which) {
        Consumer<DeviceArena> call = calls.get(which % calls.size()).move();
        try {
            while (!closed) {
                call.accept(arena);
                if (made.incrementAndGet(caller) == BEFORE) {
                    awaitCallers();
                }
            }
        } catch (IllegalStateException e) {
            Check.isTrue(name(which) + " of an open arena: it threw " + e, !arena.isOpen());
            // HotSpot interrupts a thread whose access ends since another one closes a shared java.lang.foreign.Arena
            Thread.interrupted();
        } catch (RuntimeException e) {
            throw new AssertionFailedError(
                    name(which) + " during a close: expected it to work or IllegalStateException, got " + e, e);
        } finally {
            made.set(caller, BEFORE); // releases the closer
        }
    }

    /** Closes the arena when each caller has made some calls, so that all of them have begun to repeat theirs. */
    void closeAmidst(Runnable close) {
        try {
            awaitCallers();
            close.run();
        } finally {
            closed = true;
        }
    }

    /**
     * Waits until each caller has made some calls. The callers wait too: fills and copies return at once on a backend
     * with a queue, so one caller could fill the queue, and the memory, before a read of the other comes back.
     */
    @SuppressWarnings("ThreadPriorityCheck") // the callers need the cores, and there may be two
    private void awaitCallers() {
        for (int caller = 0; caller < made.length(); caller++) {
            while (made.get(caller) < BEFORE && !closed) {
                Thread.yield();
            }
        }
    }

    private void check(String what, MemorySegment read) {
        long at = filled.mismatch(read);
        if (at >= 0) {
            throw new AssertionFailedError(what + " during a close: expected " + size
                    + " bytes of the arena, got others from byte " + at + " on");
        }
    }

    private void checkFloats(MemorySegment read) {
        long at = MemorySegment.ofArray(floats).mismatch(read);
        if (at >= 0) {
            throw new AssertionFailedError("readOutputF32 during a close: expected " + floats.length + " elements of "
                    + ELEMENT + ", got others from element " + at / Float.BYTES + " on");
        }
    }

    private void read(DeviceArena arena) {
        byte[] read = new byte[size];
        arena.readBytes(0, MemorySegment.ofArray(read));
        check("readBytes", MemorySegment.ofArray(read));
    }

    private void readNative(DeviceArena arena) {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment read = memory.allocate(size);
            arena.readValueBytes(NODE_1, 0, read);
            check("readValueBytes", read);
        }
    }

    private void readFloats(DeviceArena arena) {
        checkFloats(MemorySegment.ofArray(arena.readOutputF32(NODE_1, DType.F16, size / 2)));
    }

    private void readBatch(DeviceArena arena) {
        byte[] read = new byte[size];
        arena.readBatch(halves(read));
        check("readBatch", MemorySegment.ofArray(read));
    }

    private void readDeferred(DeviceArena arena) {
        byte[] read = new byte[size];
        arena.beginRead(halves(read)).await();
        check("beginRead", MemorySegment.ofArray(read));
    }

    private Batch halves(byte[] into) {
        MemorySegment memory = MemorySegment.ofArray(into);
        long half = size / 8L * 4;
        return Batch.builder()
                .bytes(half, memory.asSlice(half))
                .bytes(0, memory.asSlice(0, half))
                .build();
    }

    private void readMapped(DeviceArena arena) {
        arena.withBytes(0, size, view -> {
            check("withBytes", view);
            return "";
        });
    }

    private void write(DeviceArena arena) {
        arena.writeBytes(0, filled);
    }

    private void writeFloats(DeviceArena arena) {
        arena.writeInputF32(NODE_1, DType.F16, floats);
    }

    private void writeWithProgress(DeviceArena arena) {
        arena.writeBytes(0, filled, done -> {});
    }

    private void writeBatch(DeviceArena arena) {
        arena.writeBatch(writes());
    }

    private void writeDeferred(DeviceArena arena) {
        arena.beginWrite(writes()).await();
    }

    private Batch writes() {
        long half = size / 8L * 4;
        return Batch.builder()
                .elements(NODE_1, DType.F16, filled.asSlice(0, half))
                .bytes(half, filled.asSlice(half))
                .build();
    }

    private void readFloatsIntoNative(DeviceArena arena) {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment read = memory.allocate(2L * size, Float.BYTES);
            arena.readOutputF32(NODE_1, DType.F16, read);
            checkFloats(read);
        }
    }

    private void writeFloatsOutOfNative(DeviceArena arena) {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment floats = memory.allocate(size, Float.BYTES).copyFrom(filled);
            arena.writeInputF32(NODE_1, DType.F32, floats);
        }
    }

    private void fill(DeviceArena arena) {
        arena.fillBytes(0, size - 8L, BYTE);
    }

    private void copy(DeviceArena arena) {
        arena.copyBytes(0, size / 8L * 4, size - size / 8L * 4);
    }

    private void allocateHost(DeviceArena arena) {
        arena.allocateHost(Long.BYTES).close();
    }

    /** The close of the arena frees the memory, when no call of the arena uses it. */
    private void moveByHost(DeviceArena arena) {
        HostMemory host = arena.allocateHost(size);
        for (int i = 0; i < 4; i++) {
            arena.readBytes(0, host.segment());
            check("readBytes into host memory", host.segment());
            arena.writeBytes(0, host.segment());
        }
        host.close();
    }

    /** A view has the memory until it is closed. */
    private void readByView(DeviceArena arena) {
        try (DeviceArena view = arena.view(plan())) {
            byte[] read = new byte[size];
            view.readBytes(0, MemorySegment.ofArray(read));
            check("readBytes of a view", MemorySegment.ofArray(read));
        }
    }

    private void refreshMirror(DeviceArena arena) {
        if (arena.device().capabilities().contains(Capability.F16_SHADOW)) {
            F16Shadow shadow = Shadows.of(arena);
            if (shadow.fits(NODE_1)) {
                shadow.refresh(NODE_1);
                shadow.readBytes(0, MemorySegment.ofArray(new byte[Long.BYTES]));
            }
        }
    }
}
