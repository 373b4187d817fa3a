package io.devicearena.weights.internal.gguf;

import io.devicearena.weights.reader.MappedFile;
import io.devicearena.weights.tensor.MetadataArray;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An array in the metadata: where it begins, and nothing of it. */
final class GgufArray implements MetadataArray {
    /** Deeper arrays are refused; models have one level. */
    private static final int DEEPEST = 8;
    /** Texts and arrays have lengths of their own, so each is stepped over by itself. */
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
        Optional<GgufType> known = GgufType.of(number);
        if (known.isEmpty()) {
            throw cursor.file().fault(at, key + ": expected elements of a type of 0 to 12, got " + number);
        }
        GgufType type = known.get();
        long most = Math.max(0, cursor.remaining() - Long.BYTES) / type.bytes;
        long size = cursor.count("length of", key, type.hasOwnLength() ? Math.min(most, MOST_WITH_OWN_LENGTH) : most);
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
        return new Texts<>(GgufCursor::decode);
    }

    @Override
    public List<ByteBuffer> textBytes() {
        return new Texts<>(bytes -> ByteBuffer.wrap(bytes).asReadOnlyBuffer());
    }

    @Override
    public List<MetadataArray> arrays() {
        require(type == GgufType.ARRAY, "arrays");
        GgufCursor cursor = new GgufCursor(file, start);
        List<MetadataArray> arrays = new ArrayList<>();
        for (long i = 0; i < size; i++) {
            arrays.add(read(cursor, key));
        }
        return arrays;
    }

    @Override
    public long[] integers() {
        require(!type.hasOwnLength() && type != GgufType.FLOAT32 && type != GgufType.FLOAT64, "integers");
        GgufCursor cursor = new GgufCursor(file, start);
        long[] integers = new long[length()];
        for (int i = 0; i < integers.length; i++) {
            integers[i] = cursor.integer(type, key);
        }
        return integers;
    }

    @Override
    public float[] floats() {
        require(!type.hasOwnLength() && type != GgufType.BOOL, "numbers");
        GgufCursor cursor = new GgufCursor(file, start);
        float[] floats = new float[length()];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) cursor.real(type, key);
        }
        return floats;
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

    /** Where each text begins, and where the last one ends. */
    private synchronized long[] places() {
        if (places == null) {
            GgufCursor cursor = new GgufCursor(file, start);
            long[] found = new long[(int) size + 1];
            for (int i = 0; i < size; i++) {
                found[i] = cursor.position();
                cursor.skipText(key);
            }
            found[(int) size] = cursor.position();
            places = found;
        }
        return places;
    }

    @Override
    public String toString() {
        return "an array of " + size + " " + type;
    }

    /** Texts, each read when it is asked for. */
    private final class Texts<T> extends AbstractList<T> implements RandomAccess {
        private final long[] bounds;
        private final Function<byte[], T> form;

        Texts(Function<byte[], T> form) {
            require(type == GgufType.STRING, "texts");
            this.bounds = places();
            this.form = form;
        }

        @Override
        public T get(int index) {
            Objects.checkIndex(index, size());
            byte[] bytes = new byte[bytesOf(index)];
            file.read(bounds[index] + Long.BYTES, ByteBuffer.wrap(bytes));
            return form.apply(bytes);
        }

        private int bytesOf(int index) {
            return Math.toIntExact(bounds[index + 1] - bounds[index] - Long.BYTES);
        }

        /** Reads neighbours together: a vocabulary has hundreds of thousands of texts. */
        @Override
        public Iterator<T> iterator() {
            GgufCursor cursor = new GgufCursor(file, start);
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return next < size();
                }

                @Override
                public T next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException();
                    }
                    long length = cursor.count("length of", key, bytesOf(next++));
                    return form.apply(cursor.bytes((int) length, key));
                }
            };
        }

        @Override
        public int size() {
            return bounds.length - 1;
        }
    }
}
