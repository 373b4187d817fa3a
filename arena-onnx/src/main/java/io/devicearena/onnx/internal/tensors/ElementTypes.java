package io.devicearena.onnx.internal.tensors;

import io.devicearena.onnx.internal.proto.OnnxProto.TensorProto;
import io.devicearena.weights.reader.TensorSizes;
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
        String[] names = """
                FLOAT F32  UINT8 U8  INT8 I8  UINT16 U16  INT16 I16  INT32 I32  INT64 I64  BOOL BOOL
                FLOAT16 F16  DOUBLE F64  UINT32 U32  UINT64 U64  COMPLEX64 C64  COMPLEX128 C128
                BFLOAT16 BF16  FLOAT8E4M3FN F8_E4M3  FLOAT8E4M3FNUZ F8_E4M3FNUZ  FLOAT8E5M2 F8_E5M2
                FLOAT8E5M2FNUZ F8_E5M2FNUZ  UINT4 U4  INT4 I4  FLOAT4E2M1 F4  FLOAT8E8M0 F8_E8M0
                UINT2 U2  INT2 I2  FLOAT6E2M3 F6_E2M3  FLOAT6E3M2 F6_E3M2""".strip().split("\\s+", -1);
        for (int i = 0; i < names.length; i += 2) {
            types.put(TensorProto.DataType.valueOf(names[i]), TensorType.valueOf(names[i + 1]));
        }
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
        if (!type.isBlocked()) {
            return TensorSizes.bytes(type, shape);
        }
        long elements = TensorSizes.bytes(TensorType.U8, shape); // a byte each
        return Math.ceilDiv(elements, type.blockElements()) * type.blockBytes();
    }
}
