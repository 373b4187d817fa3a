package io.devicearena.onnx.internal.tensors;

import io.devicearena.onnx.internal.proto.OnnxProto.TensorProto;
import io.devicearena.weights.tensor.TensorType;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The element types of ONNX, and what they are here. */
public final class ElementTypes {
    private static final Map<TensorProto.DataType, TensorType> TYPES = types();

    private ElementTypes() {}

    private static Map<TensorProto.DataType, TensorType> types() {
        Map<TensorProto.DataType, TensorType> types = new EnumMap<>(TensorProto.DataType.class);
        types.put(TensorProto.DataType.FLOAT, TensorType.F32);
        types.put(TensorProto.DataType.UINT8, TensorType.U8);
        types.put(TensorProto.DataType.INT8, TensorType.I8);
        types.put(TensorProto.DataType.UINT16, TensorType.U16);
        types.put(TensorProto.DataType.INT16, TensorType.I16);
        types.put(TensorProto.DataType.INT32, TensorType.I32);
        types.put(TensorProto.DataType.INT64, TensorType.I64);
        types.put(TensorProto.DataType.BOOL, TensorType.BOOL);
        types.put(TensorProto.DataType.FLOAT16, TensorType.F16);
        types.put(TensorProto.DataType.DOUBLE, TensorType.F64);
        types.put(TensorProto.DataType.UINT32, TensorType.U32);
        types.put(TensorProto.DataType.UINT64, TensorType.U64);
        types.put(TensorProto.DataType.COMPLEX64, TensorType.C64);
        types.put(TensorProto.DataType.COMPLEX128, TensorType.C128);
        types.put(TensorProto.DataType.BFLOAT16, TensorType.BF16);
        types.put(TensorProto.DataType.FLOAT8E4M3FN, TensorType.F8_E4M3);
        types.put(TensorProto.DataType.FLOAT8E4M3FNUZ, TensorType.F8_E4M3FNUZ);
        types.put(TensorProto.DataType.FLOAT8E5M2, TensorType.F8_E5M2);
        types.put(TensorProto.DataType.FLOAT8E5M2FNUZ, TensorType.F8_E5M2FNUZ);
        types.put(TensorProto.DataType.UINT4, TensorType.U4);
        types.put(TensorProto.DataType.INT4, TensorType.I4);
        types.put(TensorProto.DataType.FLOAT4E2M1, TensorType.F4);
        types.put(TensorProto.DataType.FLOAT8E8M0, TensorType.F8_E8M0);
        types.put(TensorProto.DataType.UINT2, TensorType.U2);
        types.put(TensorProto.DataType.INT2, TensorType.I2);
        types.put(TensorProto.DataType.FLOAT6E2M3, TensorType.F6_E2M3);
        types.put(TensorProto.DataType.FLOAT6E3M2, TensorType.F6_E3M2);
        return types;
    }

    /** Returns the type with a number of ONNX, or empty if its elements have no fixed size or it is unknown. */
    public static Optional<TensorType> of(int number) {
        return Optional.ofNullable(TensorProto.DataType.forNumber(number)).map(TYPES::get);
    }

    /** Returns the type with a name of ONNX, such as FLOAT, or empty as {@link #of}. */
    public static Optional<TensorType> named(String name) {
        return TYPES.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(name))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Returns the number of a type in ONNX. */
    public static int number(TensorType type) {
        return TYPES.entrySet().stream()
                .filter(entry -> entry.getValue() == type)
                .findFirst()
                .orElseThrow()
                .getKey()
                .getNumber();
    }

    /** Returns the name of a type for messages. */
    public static String label(int number) {
        TensorProto.DataType type = TensorProto.DataType.forNumber(number);
        return type == null ? "type " + number : type.name();
    }

    /**
     * Returns the bytes of a shape; elements of less than a byte are packed without gaps.
     *
     * @throws IllegalArgumentException if a dimension is negative, or there are more bytes than a long counts
     */
    public static long bytes(TensorType type, List<Long> shape) {
        long elements = shape.contains(0L) ? 0 : 1;
        try {
            for (long dimension : shape) {
                if (dimension < 0) {
                    throw new IllegalArgumentException("expected dimensions of 0 or more, got the shape " + shape);
                }
                elements = elements == 0 ? 0 : Math.multiplyExact(elements, dimension);
            }
            return Math.multiplyExact(Math.ceilDiv(elements, type.blockElements()), type.blockBytes());
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "expected a shape of at most " + Long.MAX_VALUE + " bytes, got " + shape + " of " + type, e);
        }
    }
}
