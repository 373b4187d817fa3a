package io.devicearena.onnx.internal.graph;

import io.devicearena.onnx.graph.OnnxAttributes;
import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.weights.tensor.TensorType;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Computes values of operators whose operands are known: the arithmetic on shapes that exporters write.
 *
 * <p>Source: the operators of ONNX (ai.onnx, opset 7 to 23).
 */
final class ConstantFolding {
    private final Operands operands;
    private final OnnxAttributes attributes;

    /** Makes the computation of an operator. */
    ConstantFolding(Operands operands) {
        this.operands = operands;
        this.attributes = operands.attributes();
    }

    private static double truth(boolean value) {
        return value ? 1 : 0;
    }

    /**
     * Returns the elements of the first output, or empty if they are not known.
     *
     * @param type its type and shape
     */
    Optional<Numbers> output(ValueType type) {
        if (!operands.operator().domain().isEmpty()
                || !Numbers.isOfType(type.type())
                || type.elements() > Numbers.MOST_ELEMENTS) {
            return Optional.empty();
        }
        try {
            double[] values = rounded(type.type(), values(type.shape()));
            Numbers made = new Numbers(type.type(), type.shape(), values);
            boolean isRounded =
                    operands.numbers().stream().flatMap(Optional::stream).anyMatch(it -> !it.isExact());
            return Optional.of(made)
                    .filter(it -> values.length == type.elements())
                    .filter(it -> isRounded || it.isExact());
        } catch (IndexOutOfBoundsException | NoSuchElementException e) { // operands that the operator cannot have
            return Optional.empty();
        }
    }

    private static double[] rounded(TensorType type, double[] values) {
        return Arrays.stream(values)
                .map(value -> switch (type) {
                    case F32 -> (float) value;
                    case F64 -> value;
                    case BOOL -> truth(value != 0);
                    default -> value < 0 ? Math.ceil(value) : Math.floor(value); // towards zero, as C does
                })
                .toArray();
    }

    /** The elements of a shape; ends with a NoSuchElementException where they are not known. */
    private double[] values(List<Long> shape) {
        String type = operands.operator().type();
        if (type.equals("Shape")) {
            return operands.dimensions().stream().mapToDouble(Long::doubleValue).toArray();
        }
        if (type.equals("Size")) {
            return new double[] {ValueType.elements(operands.shape(0))};
        }
        for (int i = 0; i < operands.operator().operands().size(); i++) {
            if (!operands.isKnown(i)) {
                throw new NoSuchElementException(type);
            }
        }
        return switch (type) {
            case "Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten" -> values(0);
            case "Concat" -> concatenated(shape);
            case "Slice" -> sliced(shape);
            case "Gather" -> gathered(shape);
            case "Expand" -> broadcast(shape, 0);
            case "Transpose" -> transposed(shape);
            case "ConstantOfShape" -> filled(shape);
            case "Range" -> mapped(shape, i -> values(0)[0] + i * values(2)[0]);
            case "Where" -> chosen(shape);
            case "ReduceSum" -> reduced("Add");
            case "ReduceProd" -> reduced("Mul");
            case "ReduceMax" -> reduced("Max");
            case "ReduceMin" -> reduced("Min");
            default -> operands.numbers().size() == 1 ? unary(type, shape) : binary(type, shape);
        };
    }

    private double[] unary(String type, List<Long> shape) {
        unary(type, 1); // ends at other operators, also where there are no elements
        return mapped(shape, i -> unary(type, values(0)[i]));
    }

    private static double unary(String type, double a) {
        return switch (type) {
            case "Abs" -> Math.abs(a);
            case "Neg" -> -a;
            case "Not" -> 1 - a;
            case "Sign" -> Math.signum(a);
            case "Floor" -> Math.floor(a);
            case "Ceil" -> Math.ceil(a);
            case "Sqrt" -> Math.sqrt(a);
            case "Reciprocal" -> 1 / a;
            default -> throw new NoSuchElementException(type);
        };
    }

    private static double binary(String type, double a, double b) {
        return switch (type) {
            case "Add" -> a + b;
            case "Sub" -> a - b;
            case "Mul", "And" -> a * b;
            case "Div" -> a / b;
            case "Mod" -> a - b * Math.floor(a / b);
            case "Max", "Or" -> Math.max(a, b);
            case "Min" -> Math.min(a, b);
            case "Pow" -> Math.pow(a, b);
            case "Equal" -> truth(a == b);
            case "Greater" -> truth(a > b);
            case "GreaterOrEqual" -> truth(a >= b);
            case "Less" -> truth(a < b);
            case "LessOrEqual" -> truth(a <= b);
            case "Xor" -> truth(a != b);
            default -> throw new NoSuchElementException(type);
        };
    }

    private double[] values(int position) {
        return operands.elements(position).values();
    }

    private static double[] mapped(List<Long> shape, IntToDoubleFunction element) {
        return IntStream.range(0, (int) ValueType.elements(shape))
                .mapToDouble(element)
                .toArray();
    }

    /** The elements of an operand at the places that coordinates of the output have in it. */
    private double[] picked(List<Long> shape, int position, ToIntFunction<long[]> place) {
        return mapped(shape, i -> values(position)[place.applyAsInt(coordinates(i, shape))]);
    }

    private static long[] coordinates(long place, List<Long> shape) {
        long[] coordinates = new long[shape.size()];
        long rest = place;
        for (int axis = coordinates.length - 1; axis >= 0; axis--) {
            coordinates[axis] = rest % shape.get(axis);
            rest /= shape.get(axis);
        }
        return coordinates;
    }

    private static int place(long[] coordinates, List<Long> shape) {
        long place = 0;
        for (int axis = 0; axis < coordinates.length; axis++) {
            place = place * shape.get(axis) + coordinates[axis];
        }
        return (int) place;
    }

    private double[] broadcast(List<Long> shape, int position) {
        List<Long> source = operands.elements(position).shape();
        return picked(shape, position, coordinates -> {
            long[] own = new long[source.size()];
            for (int axis = 0; axis < own.length; axis++) {
                own[axis] = source.get(axis) == 1 ? 0 : coordinates[coordinates.length - own.length + axis];
            }
            return place(own, source);
        });
    }

    private double[] binary(String type, List<Long> shape) {
        boolean divides = type.equals("Div") || type.equals("Mod");
        boolean isUndefined = divides
                && operands.elements(0).isInteger()
                && Arrays.stream(values(1)).anyMatch(value -> value == 0);
        if (isUndefined
                || operands.numbers().size() != 2 // Max and Min of others, which no arithmetic on shapes has
                || attributes.integer("fmod", 0) != 0) {
            throw new NoSuchElementException(type);
        }
        binary(type, 1, 1); // as above
        double[] left = broadcast(shape, 0);
        double[] right = broadcast(shape, 1);
        return mapped(shape, i -> binary(type, left[i], right[i]));
    }

    private double[] chosen(List<Long> shape) {
        double[] condition = broadcast(shape, 0);
        double[] yes = broadcast(shape, 1);
        double[] no = broadcast(shape, 2);
        return mapped(shape, i -> condition[i] != 0 ? yes[i] : no[i]);
    }

    /** Of all elements; others are rare where shapes are computed. */
    private double[] reduced(String type) {
        if (operands.elements(0).shape().size() > 1) {
            throw new NoSuchElementException(type);
        }
        return new double[] {
            Arrays.stream(values(0)).reduce((a, b) -> binary(type, a, b)).orElseThrow()
        };
    }

    private double[] concatenated(List<Long> shape) {
        int axis = Operands.axis(attributes.integer("axis", 1), shape.size());
        return mapped(shape, i -> {
            long[] coordinates = coordinates(i, shape);
            int part = 0;
            while (coordinates[axis] >= operands.elements(part).shape().get(axis)) {
                coordinates[axis] -= operands.elements(part++).shape().get(axis);
            }
            return values(part)[place(coordinates, operands.elements(part).shape())];
        });
    }

    private double[] sliced(List<Long> shape) {
        List<Long> source = operands.elements(0).shape();
        long[] starts = operands.longs(1, "starts").orElseThrow();
        long[] axes = operands.longs(3, "axes")
                .orElse(LongStream.range(0, starts.length).toArray());
        long[] steps = operands.longs(4, "steps")
                .orElse(LongStream.range(0, starts.length).map(i -> 1).toArray());
        return picked(shape, 0, coordinates -> {
            for (int i = 0; i < starts.length; i++) {
                int axis = Operands.axis(axes[i], source.size());
                long size = source.get(axis);
                long first = starts[i] < 0 ? starts[i] + size : starts[i];
                coordinates[axis] = Math.clamp(first, 0, steps[i] > 0 ? size : size - 1) + coordinates[axis] * steps[i];
            }
            return place(coordinates, source);
        });
    }

    private double[] transposed(List<Long> shape) {
        long[] order = attributes.integers(
                "perm",
                LongStream.range(0, shape.size()).map(i -> shape.size() - 1 - i).toArray());
        return picked(shape, 0, coordinates -> {
            long[] own = new long[coordinates.length];
            for (int i = 0; i < own.length; i++) {
                own[Operands.axis(order[i], own.length)] = coordinates[i];
            }
            return place(own, operands.elements(0).shape());
        });
    }

    private double[] gathered(List<Long> shape) {
        List<Long> source = operands.elements(0).shape();
        List<Long> indices = operands.elements(1).shape();
        int axis = Operands.axis(attributes.integer("axis", 0), source.size());
        return picked(shape, 0, coordinates -> {
            long[] index = Arrays.copyOfRange(coordinates, axis, axis + indices.size());
            long[] own = new long[source.size()];
            System.arraycopy(coordinates, 0, own, 0, axis);
            System.arraycopy(coordinates, axis + index.length, own, axis + 1, own.length - axis - 1);
            long at = (long) values(1)[place(index, indices)];
            own[axis] = at < 0 ? at + source.get(axis) : at;
            Objects.checkIndex(own[axis], source.get(axis));
            return place(own, source);
        });
    }

    private double[] filled(List<Long> shape) {
        double value = attributes.tensor("value").map(OnnxConstant::doubles).orElse(new double[1])[0];
        return mapped(shape, i -> value);
    }
}
