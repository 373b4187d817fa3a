package io.devicearena.onnx.graph;

import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A tensor whose elements are known before the graph runs: an initialiser, a {@code Constant} node, a tensor of an
 * attribute, or what follows from such tensors and from shapes. Each call reads the elements anew from the mapped file.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> until the model is closed; afterwards reading elements of the file throws
 * {@link IllegalStateException}. Values that were worked out stay.
 */
public final class OnnxConstant {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final Path NO_FILE = Path.of("");

    private final Tensor tensor;
    private final Supplier<MemorySegment> bytes;

    /**
     * Makes a constant.
     *
     * @param tensor what it is: the name of its value, its type and shape, and where it is in a file
     * @param bytes gives the elements, little-endian, one after another
     */
    public OnnxConstant(Tensor tensor, Supplier<MemorySegment> bytes) {
        this.tensor = Objects.requireNonNull(tensor, "tensor");
        this.bytes = Objects.requireNonNull(bytes, "bytes");
    }

    /**
     * {@return a constant of floats}
     *
     * @param name the name of its value
     * @param shape its dimensions
     * @param elements as many as the shape has; they are copied
     * @throws IllegalArgumentException if there are more or fewer
     */
    public static OnnxConstant of(String name, List<Long> shape, float... elements) {
        long expected = shape.stream().reduce(1L, Math::multiplyExact);
        if (expected != elements.length) {
            throw new IllegalArgumentException("constant '" + name + "': expected " + expected + " elements for "
                    + shape + ", got " + elements.length);
        }
        MemorySegment bytes = MemorySegment.ofArray(new byte[Math.multiplyExact(elements.length, Float.BYTES)]);
        for (int i = 0; i < elements.length; i++) {
            bytes.set(INT, (long) i * Float.BYTES, Float.floatToRawIntBits(elements[i]));
        }
        return of(name, TensorType.F32, shape, bytes);
    }

    /**
     * {@return a constant of elements in memory}
     *
     * @param name the name of its value
     * @param type the type of its elements
     * @param shape its dimensions; none for a single element
     * @param bytes the elements, little-endian, one after another; not to be changed afterwards
     */
    public static OnnxConstant of(String name, TensorType type, List<Long> shape, MemorySegment bytes) {
        MemorySegment elements = bytes.asReadOnly();
        return new OnnxConstant(new Tensor(name, type, shape, NO_FILE, 0, bytes.byteSize()), () -> elements);
    }

    /** {@return what it is, and where it is in a file; in no file if its path is empty} */
    public Tensor tensor() {
        return tensor;
    }

    /** {@return the name of its value; that of an attribute for a tensor of one} */
    public String name() {
        return tensor.name();
    }

    /** {@return the type of its elements} */
    public TensorType type() {
        return tensor.type();
    }

    /** {@return its dimensions; none for a single element} */
    public List<Long> shape() {
        return tensor.shape();
    }

    /** {@return its elements, little-endian, one after another, in memory that must not be written} */
    public MemorySegment bytes() {
        return bytes.get();
    }

    /**
     * {@return the elements of a tensor of integers or truth values, 1 for true} Those of U64 are as Java reads them.
     *
     * @throws IllegalArgumentException if it has other elements
     */
    public long[] longs() {
        MemorySegment read = bytes.get();
        IntToLongFunction element = switch (type()) {
            case BOOL -> i -> read.get(ValueLayout.JAVA_BYTE, i) == 0 ? 0L : 1L;
            case U8 -> i -> Byte.toUnsignedInt(read.get(ValueLayout.JAVA_BYTE, i));
            case I8 -> i -> read.get(ValueLayout.JAVA_BYTE, i);
            case U16 -> i -> Short.toUnsignedInt(read.get(SHORT, (long) i * Short.BYTES));
            case I16 -> i -> read.get(SHORT, (long) i * Short.BYTES);
            case U32 -> i -> Integer.toUnsignedLong(read.get(INT, (long) i * Integer.BYTES));
            case I32 -> i -> read.get(INT, (long) i * Integer.BYTES);
            case U64, I64 -> i -> read.get(LONG, (long) i * Long.BYTES);
            default -> throw new IllegalArgumentException(subject() + ": expected integers, got " + type());
        };
        return IntStream.range(0, count(read)).mapToLong(element).toArray();
    }

    /**
     * {@return the elements, rounded to floats}
     *
     * @throws IllegalArgumentException if they are packed in bytes, or complex
     */
    public float[] floats() {
        if (type().isDecoded()) {
            MemorySegment read = bytes.get();
            float[] floats = new float[count(read)];
            type().decode(read, 0, floats.length, floats, 0);
            return floats;
        }
        double[] doubles = doubles();
        float[] floats = new float[doubles.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) doubles[i];
        }
        return floats;
    }

    /**
     * {@return the elements, rounded to doubles}
     *
     * @throws IllegalArgumentException if they are packed in bytes, or complex
     */
    public double[] doubles() {
        if (type() == TensorType.F64) {
            MemorySegment read = bytes.get();
            return IntStream.range(0, count(read))
                    .mapToDouble(i -> Double.longBitsToDouble(read.get(LONG, (long) i * Long.BYTES)))
                    .toArray();
        }
        if (type().isDecoded()) {
            float[] floats = floats();
            return IntStream.range(0, floats.length).mapToDouble(i -> floats[i]).toArray();
        }
        if (type().dtype().isEmpty()) {
            throw new IllegalArgumentException(subject() + ": expected numbers of a Java type, got " + type());
        }
        return LongStream.of(longs())
                .mapToDouble(bits -> type() == TensorType.U64 ? unsigned(bits) : bits)
                .toArray();
    }

    private static double unsigned(long bits) {
        return bits >= 0 ? bits : ((bits >>> 1) | (bits & 1)) * 2.0;
    }

    private int count(MemorySegment read) {
        return Math.toIntExact(read.byteSize() / type().blockBytes());
    }

    /** {@return whether its elements are in no file, but follow from others or were made by a program} */
    public boolean isWorkedOut() {
        return tensor.file().equals(NO_FILE);
    }

    /** The same with other whole numbers. */
    OnnxConstant withLongs(List<Long> elements) {
        MemorySegment changed = MemorySegment.ofArray(new byte[elements.size() * type().blockBytes()]);
        for (int i = 0; i < elements.size(); i++) {
            if (type() == TensorType.I64) {
                changed.set(LONG, (long) i * Long.BYTES, elements.get(i));
            } else {
                changed.set(INT, (long) i * Integer.BYTES, elements.get(i).intValue());
            }
        }
        return of(name(), type(), shape(), changed);
    }

    /**
     * {@return the same elements under another name}
     *
     * @param other the name of their value
     */
    public OnnxConstant named(String other) {
        return new OnnxConstant(
                new Tensor(other, type(), shape(), tensor.file(), tensor.offset(), tensor.bytes()), bytes);
    }

    /**
     * {@return whether another constant has the same elements}
     *
     * @param other a constant of any name
     */
    public boolean isSame(OnnxConstant other) {
        boolean isOnePlace =
                !isWorkedOut() && tensor.file().equals(other.tensor.file()) && tensor.offset() == other.tensor.offset();
        return type() == other.type()
                && shape().equals(other.shape())
                && (isOnePlace || bytes().mismatch(other.bytes()) < 0);
    }

    private String subject() {
        return "constant '" + name() + "'";
    }

    @Override
    public String toString() {
        return subject() + ' ' + type() + shape();
    }
}
