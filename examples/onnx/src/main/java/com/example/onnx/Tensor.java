package com.example.onnx;

import io.devicearena.DType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Numbers of a shape in the heap, read from and written to files of NumPy.
 *
 * @param shape the extent of each dimension
 * @param type F32, I32 or U32: a boolean is 0 or 1
 * @param data the elements one after the other, in native byte order
 */
public record Tensor(List<Long> shape, DType type, MemorySegment data) {
    private static final int WORD = 4;
    private static final int FRONT = 10; // bytes before the header
    private static final int LINE = 64; // the elements begin at a multiple of it
    private static final String MAGIC = "\u0093NUMPY";
    private static final Pattern HEADER = Pattern.compile(
            "\\{'descr': '[<|]([fib][148])', 'fortran_order': False, 'shape': \\(([0-9, ]*)\\), \\}\\s*");

    /** Makes a tensor of zeros. */
    static Tensor zeros(List<Long> shape, DType type) {
        return new Tensor(shape, type, MemorySegment.ofArray(new float[count(shape)]));
    }

    /**
     * Makes a tensor of floats.
     *
     * @param shape the extent of each dimension
     * @param floats the elements
     * @return the tensor, on the array itself
     */
    public static Tensor of(List<Long> shape, float... floats) {
        return new Tensor(shape, DType.F32, MemorySegment.ofArray(floats));
    }

    private static int count(List<Long> shape) {
        return Math.toIntExact(shape.stream().reduce(1L, Math::multiplyExact));
    }

    /** {@return the number of elements} */
    public int count() {
        return count(shape);
    }

    /**
     * Returns an element.
     *
     * @param number its number
     * @return the element, of any type
     */
    public double get(int number) {
        return type == DType.F32
                ? data.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, number)
                : data.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, number);
    }

    /** {@return the number of the largest element, the first of equal ones} */
    public int largest() {
        int largest = 0;
        for (int i = 1; i < count(); i++) {
            largest = get(i) > get(largest) ? i : largest;
        }
        return largest;
    }

    /**
     * Reads a file in the format NPY. Integers of 8 bytes become I32, booleans U32.
     *
     * @param file the file
     * @return its numbers
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if it is none of f4, i4, i8 or b1 in the order of C, or an integer is too large
     */
    public static Tensor read(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        boolean isNpy = bytes.limit() > FRONT
                && text(bytes, 0, MAGIC.length()).equals(MAGIC)
                && FRONT + bytes.getShort(FRONT - 2) <= bytes.limit();
        String header = isNpy ? text(bytes, FRONT, bytes.getShort(FRONT - 2)) : "";
        Matcher matcher = HEADER.matcher(header);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(file
                    + ": expected an .npy file of version 1 with f4, i4, i8 or b1 in the order of C, got '" + header.trim()
                    + "'; write it with numpy.save");
        }
        String kind = matcher.group(1);
        List<Long> shape = Arrays.stream(matcher.group(2).split(","))
                .map(String::strip)
                .filter(extent -> !extent.isEmpty())
                .map(Long::valueOf)
                .toList();
        DType type = kind.startsWith("f") ? DType.F32 : kind.startsWith("i") ? DType.I32 : DType.U32;
        Tensor tensor = zeros(shape, type);
        bytes.position(FRONT + header.length());
        for (int i = 0; i < tensor.count(); i++) {
            int word = switch (kind) {
                case "b1" -> bytes.get();
                case "i8" -> Math.toIntExact(bytes.getLong());
                default -> bytes.getInt();
            };
            tensor.data.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i, word);
        }
        return tensor;
    }

    private static String text(ByteBuffer bytes, int from, int length) {
        return new String(bytes.array(), from, length, StandardCharsets.ISO_8859_1);
    }

    /**
     * Writes a file in the format NPY.
     *
     * @param file the file
     * @throws IOException if it cannot be written
     */
    public void write(Path file) throws IOException {
        String kind = type == DType.F32 ? "<f4" : type == DType.I32 ? "<i4" : "<u4";
        String extents = shape.stream().map(extent -> extent + ",").collect(Collectors.joining(" "));
        String header = "{'descr': '" + kind + "', 'fortran_order': False, 'shape': (" + extents + "), }";
        int length = (FRONT + header.length() + LINE) / LINE * LINE - FRONT;
        ByteBuffer bytes =
                ByteBuffer.allocate(FRONT + length + count() * WORD).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put((MAGIC + "\u0001\u0000").getBytes(StandardCharsets.ISO_8859_1)).putShort((short) length);
        bytes.put((header + " ".repeat(length - header.length() - 1) + "\n").getBytes(StandardCharsets.ISO_8859_1));
        for (int i = 0; i < count(); i++) {
            bytes.putInt(data.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i));
        }
        Files.write(file, bytes.array());
    }
}
