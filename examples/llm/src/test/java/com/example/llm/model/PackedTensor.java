package com.example.llm.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/** Random weights packed as GGUF files pack them, and the numbers that they stand for. */
record PackedTensor(int type, byte[] bytes, double[] values) {
    /** GGML's numbers of types. */
    static final int F32 = 0, F16 = 1, Q4_0 = 2, Q4_1 = 3, Q5_0 = 6, Q8_0 = 8, Q4_K = 12, Q5_K = 13, Q6_K = 14, BF16 = 30;

    /** Numbers of a spread of about {@code spread}, around {@code middle}, which only floats have. */
    static PackedTensor random(int type, int elements, double middle, double spread, SplittableRandom random) {
        ByteBuffer out = ByteBuffer.allocate(4 * elements).order(ByteOrder.LITTLE_ENDIAN);
        double[] values = new double[elements];
        int block = type == F32 || type == F16 || type == BF16 ? 1 : type >= Q4_K ? 256 : 32;
        for (int at = 0; at < elements; at += block) {
            switch (type) {
                case F32 -> {
                    float value = (float) (middle + spread * random.nextDouble(-1.7, 1.7));
                    out.putFloat(value);
                    values[at] = value;
                }
                case F16 -> {
                    short value = Float.floatToFloat16((float) (spread * random.nextDouble(-1.7, 1.7)));
                    out.putShort(value);
                    values[at] = Float.float16ToFloat(value);
                }
                case BF16 -> {
                    int bits = Float.floatToIntBits((float) (spread * random.nextDouble(-1.7, 1.7))) >>> 16;
                    out.putShort((short) bits);
                    values[at] = Float.intBitsToFloat(bits << 16);
                }
                case Q8_0 -> {
                    double scale = half(out, spread / 74);
                    for (int i = 0; i < 32; i++) {
                        int q = random.nextInt(-127, 128);
                        out.put((byte) q);
                        values[at + i] = scale * q;
                    }
                }
                case Q4_0 -> {
                    double scale = half(out, spread / 4.6);
                    four(out, values, at, scale, -8 * scale, random);
                }
                case Q4_1 -> four(out, values, at, half(out, spread / 4.6), half(out, -1.7 * spread), random);
                case Q5_0 -> five(out, values, at, half(out, spread / 9.2), random);
                case Q4_K, Q5_K -> fourOrFiveK(type == Q5_K, out, values, at, spread, random);
                case Q6_K -> sixK(out, values, at, spread, random);
                default -> throw new IllegalArgumentException("type " + type);
            }
        }
        byte[] bytes = new byte[out.position()];
        out.flip().get(bytes);
        return new PackedTensor(type, bytes, values);
    }

    private static double half(ByteBuffer out, double scale) {
        short half = Float.floatToFloat16((float) scale);
        out.putShort(half);
        return Float.float16ToFloat(half);
    }

    private static void four(
            ByteBuffer out, double[] values, int at, double scale, double least, SplittableRandom random) {
        for (int i = 0; i < 16; i++) {
            int low = random.nextInt(16);
            int high = random.nextInt(16);
            out.put((byte) (low | high << 4));
            values[at + i] = scale * low + least;
            values[at + 16 + i] = scale * high + least;
        }
    }

    private static void five(ByteBuffer out, double[] values, int at, double scale, SplittableRandom random) {
        int[] q = random.ints(32, 0, 32).toArray();
        int fifth = 0;
        for (int i = 0; i < 32; i++) {
            fifth |= (q[i] >> 4) << i;
            values[at + i] = scale * (q[i] - 16);
        }
        out.putInt(fifth);
        for (int i = 0; i < 16; i++) {
            out.put((byte) (q[i] & 15 | (q[i + 16] & 15) << 4));
        }
    }

    /** Eight sub-blocks of 32 with a scale and a minimum of 6 bits each. */
    private static void fourOrFiveK(
            boolean five, ByteBuffer out, double[] values, int at, double spread, SplittableRandom random) {
        int levels = five ? 32 : 16;
        double scale = half(out, spread / (32 * levels / 3.5));
        double minimum = half(out, spread / 32 * 1.7);
        int[] scales = random.ints(8, 16, 64).toArray();
        int[] minima = random.ints(8, 16, 48).toArray();
        byte[] packed = new byte[12];
        for (int i = 0; i < 4; i++) {
            packed[i] = (byte) (scales[i] | scales[i + 4] >> 4 << 6);
            packed[i + 4] = (byte) (minima[i] | minima[i + 4] >> 4 << 6);
            packed[i + 8] = (byte) (scales[i + 4] & 15 | (minima[i + 4] & 15) << 4);
        }
        out.put(packed);
        int[] q = random.ints(256, 0, levels).toArray();
        for (int i = 0; i < 256; i++) {
            values[at + i] = scale * scales[i / 32] * q[i] - minimum * minima[i / 32];
        }
        byte[] fifth = new byte[32];
        for (int i = 0; i < 256; i++) {
            fifth[i % 32] |= (byte) ((q[i] >> 4) << i / 32);
        }
        if (five) {
            out.put(fifth);
        }
        for (int i = 0; i < 128; i++) {
            int low = i / 32 * 64 + i % 32;
            out.put((byte) (q[low] & 15 | (q[low + 32] & 15) << 4));
        }
    }

    /** Sixteen sub-blocks of 16 with a scale of 8 bits each. */
    private static void sixK(ByteBuffer out, double[] values, int at, double spread, SplittableRandom random) {
        int[] q = random.ints(256, 0, 64).toArray();
        byte[] low = new byte[128];
        byte[] high = new byte[64];
        for (int i = 0; i < 256; i++) {
            int part = i / 128;
            int quarter = i % 128 / 32;
            low[part * 64 + quarter % 2 * 32 + i % 32] |= (byte) ((q[i] & 15) << quarter / 2 * 4);
            high[part * 32 + i % 32] |= (byte) ((q[i] >> 4) << 2 * quarter);
        }
        byte[] scales = new byte[16];
        for (int i = 0; i < 16; i++) {
            scales[i] = (byte) random.nextInt(-64, 65);
        }
        out.put(low).put(high).put(scales);
        double scale = half(out, spread / (18 * 37));
        for (int i = 0; i < 256; i++) {
            values[at + i] = scale * scales[i / 16] * (q[i] - 32);
        }
    }
}
