package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.weights.tensor.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.SplittableRandom;

/** Random weights of every type, and what each of their elements is, read one by one in double precision. */
final class PackedWeights {
    final TensorType type;
    final boolean isMirrored;
    final int rows;
    final int columns;
    final byte[] bytes;
    private final ByteBuffer words;

    /** Each element is the first less the second; the products of the formats' few bits are exact. */
    private final float[] scaled;

    private final float[] taken;

    private static final int KEPT = 3;

    /** The last ones: cases that differ in the place alone share them. */
    private static final SequencedMap<List<Object>, PackedWeights> LAST = new LinkedHashMap<>();

    /** Returns weights that were made before, or new ones; they are not to be changed. */
    static PackedWeights of(TensorType type, int rows, int columns, long seed) {
        return of(new Stored(type, false), rows, columns, seed);
    }

    static synchronized PackedWeights of(Stored stored, int rows, int columns, long seed) {
        List<Object> key = List.of(stored, rows, columns, seed);
        PackedWeights weights = LAST.remove(key);
        if (weights == null && LAST.size() == KEPT) {
            LAST.pollFirstEntry();
        }
        PackedWeights last = weights == null ? new PackedWeights(stored, rows, columns, seed) : weights;
        LAST.put(key, last);
        return last;
    }

    private PackedWeights(Stored stored, int rows, int columns, long seed) {
        this.type = stored.type;
        this.isMirrored = stored.isMirrored;
        this.rows = rows;
        this.columns = columns;
        this.bytes = new byte[(int) (rows * type.rowBytes(columns))];
        this.words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        this.scaled = new float[rows * columns];
        this.taken = new float[rows * columns];
        fill(new SplittableRandom(seed));
        for (int i = 0; i < scaled.length; i++) {
            decode(i / columns, i % columns, i);
        }
    }

    /** How weights are stored, and whether kernels read their mirror. */
    record Stored(TensorType type, boolean isMirrored) {
        /** Every way that there are kernels for. */
        static List<Stored> all() {
            List<Stored> all = new ArrayList<>(List.of(new Stored(TensorType.F32, true)));
            Matrix.TYPES.forEach(type -> all.add(new Stored(type, false)));
            return all;
        }

        @Override
        public String toString() {
            return isMirrored ? type + " mirrored" : type.toString();
        }
    }

    Matrix matrix(NodeId id) {
        return new Matrix(id, type, rows, columns, isMirrored);
    }

    private void fill(SplittableRandom random) {
        random.nextBytes(bytes);
        int elements = rows * columns;
        switch (type) {
            case F32 -> {
                for (int i = 0; i < elements; i++) {
                    words.putFloat(4 * i, (float) random.nextDouble(-1, 1));
                }
            }
            case F16 -> {
                for (int i = 0; i < elements; i++) {
                    words.putShort(2 * i, Float.floatToFloat16((float) random.nextDouble(-1, 1)));
                }
            }
            case BF16 -> {
                for (int i = 0; i < elements; i++) {
                    int bits = Float.floatToRawIntBits((float) random.nextDouble(-1, 1));
                    words.putShort(2 * i, (short) (bits >>> 16));
                }
            }
            default -> {
                for (int at = 0; at < bytes.length; at += type.blockBytes()) {
                    switch (type) {
                        case Q4_K, Q5_K -> {
                            scale(random, at, 0x1p-9);
                            scale(random, at + 2, 0x1p-6);
                        }
                        case Q4_1 -> {
                            scale(random, at, 0x1p-5);
                            scale(random, at + 2, -0x1p-2);
                        }
                        case Q6_K -> scale(random, at + 208, 0x1p-11);
                        default -> scale(random, at, 0x1p-5);
                    }
                }
            }
        }
    }

    private void scale(SplittableRandom random, int at, double most) {
        words.putShort(at, Float.floatToFloat16((float) (most * random.nextDouble(0.25, 1))));
    }

    private int unsigned(int at) {
        return bytes[at] & 255;
    }

    private double half(int at) {
        return Float.float16ToFloat(words.getShort(at));
    }

    private int bit(int at, int index) {
        return (unsigned(at + index / 8) >> (index % 8)) & 1;
    }

    /** Reads element i, of a row and a column. */
    private void decode(int row, int column, int i) {
        int e = column % type.blockElements();
        int at = (int) (row * type.rowBytes(columns) + (long) column / type.blockElements() * type.blockBytes());
        int nibbleShift = e / 16 * 4;
        switch (type) {
            case F32 -> {
                float f = words.getFloat(at);
                put(i, isMirrored ? Float.float16ToFloat(Float.floatToFloat16(f)) : f, 0);
            }
            case F16 -> put(i, half(at), 0);
            case BF16 -> put(i, Float.intBitsToFloat(words.getShort(at) << 16), 0);
            case Q8_0 -> put(i, half(at) * bytes[at + 2 + e], 0);
            case Q4_0 -> put(i, half(at) * ((unsigned(at + 2 + e % 16) >> nibbleShift) & 15), half(at) * 8);
            case Q4_1 -> put(i, half(at) * ((unsigned(at + 4 + e % 16) >> nibbleShift) & 15), -half(at + 2));
            case Q5_0 -> {
                int q = ((unsigned(at + 6 + e % 16) >> nibbleShift) & 15) + (16 * bit(at + 2, e));
                put(i, half(at) * q, half(at) * 16);
            }
            case Q4_K, Q5_K -> {
                int block = e / 32;
                int within = e % 32;
                int quants = type == TensorType.Q4_K ? at + 16 : at + 48;
                int q = unsigned(quants + block / 2 * 32 + within) / (block % 2 == 0 ? 1 : 16) % 16;
                if (type == TensorType.Q5_K) {
                    q += 16 * ((unsigned(at + 16 + within) >> block) & 1);
                }
                put(i, half(at) * six(at + 4, block, false) * q, half(at + 2) * six(at + 4, block, true));
            }
            case Q6_K -> {
                int side = e / 128;
                int position = e % 128;
                int low = unsigned(at + side * 64 + position % 64) / (position < 64 ? 1 : 16) % 16;
                int high = (unsigned(at + 128 + side * 32 + position % 32) >> (position / 32 * 2)) & 3;
                double scale = half(at + 208) * bytes[at + 192 + e / 16];
                put(i, scale * (low + 16 * high), scale * 32);
            }
            default -> throw new AssertionError(type);
        }
    }

    private void put(int i, double scaledNumber, double takenNumber) {
        scaled[i] = (float) scaledNumber;
        taken[i] = (float) takenNumber;
        if (scaled[i] != scaledNumber || taken[i] != takenNumber) {
            throw new AssertionError(type + ": " + scaledNumber + " and " + takenNumber + " are no floats");
        }
    }

    /** A 6-bit number of the 12 bytes of Q4_K and Q5_K. */
    private int six(int at, int block, boolean minimum) {
        int plain = at + (minimum ? 4 : 0);
        if (block < 4) {
            return unsigned(plain + block) % 64;
        }
        int packed = unsigned(at + 4 + block);
        return (minimum ? packed / 16 : packed % 16) + unsigned(plain + block - 4) / 64 * 16;
    }

    double element(int row, int column) {
        int i = row * columns + column;
        return (double) scaled[i] - taken[i];
    }

    /** What rounding is relative to: the larger of the numbers that are subtracted. */
    double magnitude(int row, int column) {
        int i = row * columns + column;
        return (double) Math.abs(scaled[i]) + Math.abs(taken[i]);
    }
}
