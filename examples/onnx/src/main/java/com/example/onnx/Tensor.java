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
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Numbers of a shape in the heap, read from and written to files of NumPy.
 *
 * @param shape the extent of each dimension
 * @param type F32, I32 or U32: a boolean is 0 or 1
 * @param data the elements one after the other, in native byte order
 */
public record Tensor(List<Long> shape, DType type, MemorySegment data) {
    private static final int HEADER = 246; // bytes of the header that is written: the elements begin at 256
    private static final String VERSION_1 = "\u0093NUMPY\u0001\u0000";
    private static final Pattern NPY = Pattern.compile(
            VERSION_1 + "..\\{'descr': '[<|](f4|i4|i8|b1)', 'fortran_order': False, 'shape': \\(([0-9, ]*)\\), \\} *\n",
            Pattern.DOTALL);
    private static final Map<Character, DType> TYPES = Map.of('f', DType.F32, 'i', DType.I32, 'b', DType.U32);

    /** Makes a tensor of zeros. */
    static Tensor zeros(List<Long> shape, DType type) {
        int count = Math.toIntExact(shape.stream().reduce(1L, Math::multiplyExact));
        return new Tensor(shape, type, MemorySegment.ofArray(new float[count]));
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

    /** {@return the number of elements} */
    public int count() {
        return (int) (data.byteSize() / Float.BYTES);
    }

    /**
     * Returns an element.
     *
     * @param number its number
     * @return the element, of any type
     */
    public double get(int number) {
        int word = data.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, number);
        return type == DType.F32 ? Float.intBitsToFloat(word) : word;
    }

    /** {@return the number of the largest element, the first of equal ones} */
    public int largest() {
        return IntStream.range(0, count()).reduce(0, (a, b) -> get(b) > get(a) ? b : a);
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
        String text = new String(bytes.array(), StandardCharsets.ISO_8859_1);
        Matcher npy = NPY.matcher(text);
        if (!npy.lookingAt()) {
            throw new IllegalArgumentException(file
                    + ": expected an .npy file of version 1 with f4, i4, i8 or b1 in the order of C, got '"
                    + text.substring(0, Math.min(text.length(), HEADER / 2)).replaceAll("[^ -~]", "")
                    + "'; write it with numpy.save");
        }
        List<Long> shape = Arrays.stream(npy.group(2).split("[, ]+"))
                .filter(extent -> !extent.isEmpty())
                .map(Long::valueOf)
                .toList();
        String kind = npy.group(1);
        Tensor tensor = zeros(shape, TYPES.get(kind.charAt(0)));
        bytes.position(npy.end());
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

    /**
     * Writes a file in the format NPY.
     *
     * @param file the file
     * @throws IOException if it cannot be written
     */
    public void write(Path file) throws IOException {
        String extents = shape.stream().map(extent -> extent + ",").collect(Collectors.joining(" "));
        char kind = type.name().toLowerCase(Locale.ROOT).charAt(0);
        String about = "{'descr': '<" + kind + "4', 'fortran_order': False, 'shape': (" + extents + "), }";
        String front = VERSION_1 + (char) HEADER + "\u0000" + about + " ".repeat(HEADER - about.length() - 1) + "\n";
        ByteBuffer bytes = ByteBuffer.allocate(front.length() + count() * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(front.getBytes(StandardCharsets.ISO_8859_1));
        for (int i = 0; i < count(); i++) {
            bytes.putInt(data.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i));
        }
        Files.write(file, bytes.array());
    }
}
