package io.devicearena.conformance;

import io.devicearena.Batch;
import io.devicearena.DeviceArena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Every raw way in and out, for ranges that end where something else begins. */
final class LastBytes {
    /** Longest range that is moved: more than a word. */
    private static final int MOST = 5;

    private LastBytes() {}

    /** Moves 1 to 5 bytes that end at an offset, each length by other ways; the model holds what the arena does. */
    static void move(String what, DeviceArena arena, int end, byte[] model) {
        for (int length = 1; length <= Math.min(MOST, end); length++) {
            write(what, arena, end, length, model);
            String range = range(what, length, end);
            byte[] data = Arrays.copyOfRange(model, end - length, end);
            for (int turn = 0; turn < 2; turn++) {
                int way = length + 2 * turn + end % 2;
                Check.same(
                        range,
                        end - length,
                        data,
                        Batches.readInOneOfFourWays(arena, end - (long) length, length, way));
            }
            byte[] read = new byte[length];
            Batch twice = Batch.builder()
                    .bytes(0, MemorySegment.ofArray(new byte[1]))
                    .bytes(end - (long) length, MemorySegment.ofArray(read))
                    .build();
            arena.readBatch(twice);
            Check.same(range + ", second of a batch", end - length, data, read);
        }
    }

    private static String range(String what, int length, int end) {
        return what + "the " + length + " bytes before " + end;
    }

    /** Writes 1 to 5 bytes that end at an offset, each length another way, and compares the arena with the model. */
    static void write(String what, DeviceArena arena, int end, int length, byte[] model) {
        int from = end - length;
        byte[] data = TestData.bytes(110L * end + length, length);
        MemorySegment source = MemorySegment.ofArray(data);
        switch (length) {
            case 1 -> arena.writeBytes(from, source);
            case 2 -> arena.writeBatch(Batches.bytes(from, source));
            case 3 -> arena.writeBytes(from, source, done -> {});
            case 4 -> {
                arena.fillBytes(from, length, (byte) 0x87);
                data = TestData.filled(length, 0x87);
            }
            default -> {
                arena.copyBytes(0, from, Math.min(length, from));
                data = Arrays.copyOfRange(model, from, end);
                System.arraycopy(model, 0, data, 0, Math.min(length, from));
            }
        }
        System.arraycopy(data, 0, model, from, length);
        Check.holds(range(what, length, end) + ", and all others", arena, 0, model);
    }

    /** Makes every raw call with no byte. */
    static void nothing(DeviceArena arena, long offset) {
        MemorySegment empty = Segments.of();
        arena.writeBytes(offset, empty);
        arena.writeBytes(offset, empty, done -> Check.same("progress of no byte", "no call", done));
        arena.readBytes(offset, empty);
        arena.fillBytes(offset, 0, (byte) 7);
        arena.copyBytes(offset, 0, 0);
        arena.copyBytes(0, offset, 0);
        Check.same("size of a mapped view of no byte", 0L, arena.withBytes(offset, 0, MemorySegment::byteSize));
    }
}
