package io.devicearena.conformance;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Memory of a caller, of every kind: native and over arrays, at every alignment. */
final class Segments {
    /** Bytes before and after a part, to see whether a copy touches them. */
    private static final int MARGIN = 8;

    private static final int ALIGNMENTS = 4;

    private Segments() {}

    /**
     * Memory of one kind.
     *
     * @param kind for messages
     * @param whole the memory, some bytes longer than the part on both sides
     * @param from where in it the part begins
     * @param part what a test passes to the arena
     */
    record Form(String kind, MemorySegment whole, int from, MemorySegment part) {
        /** The whole memory as bytes. */
        byte[] wholeBytes() {
            byte[] bytes = new byte[Math.toIntExact(whole.byteSize())];
            MemorySegment.copy(whole, 0, MemorySegment.ofArray(bytes), 0, bytes.length);
            return bytes;
        }

        /** What the whole memory holds after bytes were put at the part's beginning. */
        byte[] wholeWith(byte[] before, byte[] atPart) {
            byte[] expected = before.clone();
            System.arraycopy(atPart, 0, expected, from, atPart.length);
            return expected;
        }
    }

    /** Memory of every kind, each part with a number of bytes, at one of the alignments. */
    static List<Form> ofEveryKind(Arena arena, int bytes, int turn) {
        List<Form> forms = ofEveryKind(arena, bytes);
        List<Form> chosen = new ArrayList<>();
        for (int kind = 0; kind < forms.size() / ALIGNMENTS; kind++) {
            chosen.add(forms.get(kind * ALIGNMENTS + (turn + kind) % ALIGNMENTS));
        }
        return chosen;
    }

    /** Memory of every kind, each part with a number of bytes. */
    static List<Form> ofEveryKind(Arena arena, int bytes) {
        int longs = (bytes + 2 * MARGIN + ALIGNMENTS) / Long.BYTES + 1;
        Map<String, MemorySegment> kinds = new LinkedHashMap<>();
        kinds.put("native memory", arena.allocate((long) longs * Long.BYTES, Long.BYTES));
        kinds.put("byte[]", MemorySegment.ofArray(new byte[longs * 8]));
        kinds.put("char[]", MemorySegment.ofArray(new char[longs * 4]));
        kinds.put("short[]", MemorySegment.ofArray(new short[longs * 4]));
        kinds.put("int[]", MemorySegment.ofArray(new int[longs * 2]));
        kinds.put("float[]", MemorySegment.ofArray(new float[longs * 2]));
        kinds.put("long[]", MemorySegment.ofArray(new long[longs]));
        kinds.put("double[]", MemorySegment.ofArray(new double[longs]));
        List<Form> forms = new ArrayList<>();
        kinds.forEach((kind, whole) -> {
            for (int shift = 0; shift < ALIGNMENTS; shift++) {
                int from = MARGIN + shift;
                forms.add(new Form(kind + " from byte " + from + " on", whole, from, whole.asSlice(from, bytes)));
            }
        });
        return forms;
    }

    static MemorySegment of(byte... bytes) {
        return MemorySegment.ofArray(bytes);
    }
}
