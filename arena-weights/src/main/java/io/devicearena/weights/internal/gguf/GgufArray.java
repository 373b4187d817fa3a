package io.devicearena.weights.internal.gguf;

import io.devicearena.weights.file.MappedFile;
import io.devicearena.weights.tensor.MetadataArray;
import java.lang.foreign.MemorySegment;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** An array in the metadata: where it begins, and nothing of it. */
final class GgufArray implements MetadataArray {
    /** Deeper arrays are refused; models have one level. */
    private static final int DEEPEST = 8;
    /** Texts and arrays have lengths of their own, so their places are listed when they are asked for. */
    private static final long MOST_WITH_OWN_LENGTH = 16L << 20;

    private final String key;
    private final MappedFile file;
    private final GgufType type;
    private final long size;
    private final long start;
    private long @Nullable [] places;

    private GgufArray(String key, MappedFile file, GgufType type, long size, long start) {
        this.key = key;
        this.file = file;
        this.type = type;
        this.size = size;
        this.start = start;
    }

    /** Reads where an array is, and steps over it. */
    static GgufArray read(GgufCursor cursor, String key) {
        return read(cursor, key, 1);
    }

    private static GgufArray read(GgufCursor cursor, String key, int depth) {
        long at = cursor.position();
        if (depth > DEEPEST) {
            throw cursor.file().fault(at, key + ": expected arrays at most " + DEEPEST + " deep");
        }
        long number = cursor.u32(key);
        GgufType type = GgufType.of(number)
                .orElseThrow(
                        () -> cursor.file().fault(at, key + ": expected elements of a type of 0 to 12, got " + number));
        long most = Math.max(0, cursor.remaining() - Long.BYTES) / type.bytes;
        long size = cursor.count("length of " + key, type.hasOwnLength() ? Math.min(most, MOST_WITH_OWN_LENGTH) : most);
        GgufArray array = new GgufArray(key, cursor.file(), type, size, cursor.position());
        if (type == GgufType.STRING) {
            cursor.skipTexts(size, key);
        } else if (type == GgufType.ARRAY) {
            for (long i = 0; i < size; i++) {
                read(cursor, key, depth + 1);
            }
        } else {
            cursor.skip(size * type.bytes, key);
        }
        return array;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public List<String> texts() {
        require(type == GgufType.STRING, "texts");
        long[] starts = places();
        return new Texts(starts);
    }

    @Override
    public List<MetadataArray> arrays() {
        require(type == GgufType.ARRAY, "arrays");
        List<MetadataArray> arrays = new ArrayList<>();
        for (long place : places()) {
            arrays.add(file.reading(() -> read(new GgufCursor(file, place), key)));
        }
        return arrays;
    }

    @Override
    public long[] integers() {
        require(!type.hasOwnLength() && type != GgufType.FLOAT32 && type != GgufType.FLOAT64, "integers");
        long[] integers = new long[length()];
        return file.reading(() -> {
            MemorySegment bytes = file.bytes();
            for (int i = 0; i < integers.length; i++) {
                integers[i] = GgufCursor.integer(bytes, type, start + (long) i * type.bytes);
            }
            return integers;
        });
    }

    @Override
    public float[] floats() {
        require(!type.hasOwnLength() && type != GgufType.BOOL, "numbers");
        float[] floats = new float[length()];
        return file.reading(() -> {
            MemorySegment bytes = file.bytes();
            for (int i = 0; i < floats.length; i++) {
                floats[i] = (float) GgufCursor.real(bytes, type, start + (long) i * type.bytes);
            }
            return floats;
        });
    }

    private void require(boolean holds, String wanted) {
        if (!holds) {
            throw new IllegalArgumentException(key + ": expected " + wanted + ", got an array of " + type);
        }
    }

    private int length() {
        if (size > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException(
                    key + ": expected at most " + (Integer.MAX_VALUE - 8) + " elements for an array, got " + size);
        }
        return (int) size;
    }

    /** Where each text or array begins. */
    private synchronized long[] places() {
        if (places == null) {
            long[] found = new long[(int) size];
            GgufCursor cursor = new GgufCursor(file, start);
            file.reading(() -> {
                for (int i = 0; i < found.length; i++) {
                    found[i] = cursor.position();
                    if (type == GgufType.STRING) {
                        cursor.skipText(key);
                    } else {
                        read(cursor, key);
                    }
                }
                return found;
            });
            places = found;
        }
        return places;
    }

    @Override
    public String toString() {
        return "an array of " + size + " " + type;
    }

    /** Texts, each decoded when it is asked for. */
    private final class Texts extends AbstractList<String> implements RandomAccess {
        private final long[] starts;

        Texts(long[] starts) {
            this.starts = starts;
        }

        @Override
        public String get(int index) {
            return file.reading(() -> new GgufCursor(file, starts[index]).text(key));
        }

        @Override
        public int size() {
            return starts.length;
        }
    }
}
