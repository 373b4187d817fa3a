package io.devicearena.kernels.elementwise;

import static java.util.Objects.requireNonNull;

import io.devicearena.kernels.elementwise.Expression.Binary;
import io.devicearena.kernels.elementwise.Expression.Constant;
import io.devicearena.kernels.elementwise.Expression.Input;
import io.devicearena.kernels.elementwise.Expression.Select;
import io.devicearena.kernels.elementwise.Expression.Sum;
import io.devicearena.kernels.elementwise.Expression.Unary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * An expression as a list: each part after its operands, equal parts once.
 *
 * @param numbers the parts, each with its place in the list
 */
record Operations(Map<Expression, Integer> numbers) {
    static Operations of(Expression expression) {
        Map<Expression, Integer> numbers = new LinkedHashMap<>();
        add(expression, numbers);
        return new Operations(numbers);
    }

    private static void add(Expression part, Map<Expression, Integer> numbers) {
        operands(part).forEach(operand -> add(operand, numbers));
        numbers.putIfAbsent(part, numbers.size());
    }

    static List<Expression> operands(Expression part) {
        return switch (part) {
            case Input _, Sum _, Constant _ -> List.of();
            case Unary unary -> List.of(unary.x());
            case Binary binary -> List.of(binary.a(), binary.b());
            case Select select -> List.of(select.condition(), select.yes(), select.no());
        };
    }

    /** The parts in their order. */
    List<Expression> parts() {
        return List.copyOf(numbers.keySet());
    }

    int numberOf(Expression part) {
        return requireNonNull(numbers.get(part));
    }

    /** The numbers of the operands of a part. */
    int[] operandsOf(Expression part) {
        return operands(part).stream().mapToInt(this::numberOf).toArray();
    }

    /** The values that it reads. */
    List<Input> inputs() {
        return numbers.keySet().stream()
                .filter(Input.class::isInstance)
                .map(Input.class::cast)
                .toList();
    }

    boolean hasSum() {
        return numbers.containsKey(Expression.sum());
    }

    /** Lines of a kernel that compute the parts, after those that they use; the sum is the variable {@code sum}. */
    String wgsl(Function<Input, String> input) {
        StringBuilder text = new StringBuilder("//! use elementwise/functions\n");
        numbers.forEach((part, number) ->
                text.append(String.format(Locale.ROOT, "    let v_%d = %s;\n", number, wgsl(part, input))));
        return text.toString();
    }

    /** The variable of the last part. */
    String result() {
        return "v_" + (numbers.size() - 1);
    }

    private String wgsl(Expression part, Function<Input, String> input) {
        return switch (part) {
            case Input read -> input.apply(read);
            case Sum _ -> "sum";
            case Constant(int bits, Expression.Type type) ->
                (type == Expression.Type.F32 ? "bitcast<f32>(" : "bitcast<i32>(") + Integer.toUnsignedString(bits)
                        + "u)";
            case Unary unary -> String.format(Locale.ROOT, unary.operation().wgsl, v(unary.x()));
            case Binary binary ->
                binary.operation().wgsl(v(binary.a()), v(binary.b()), binary.a().type());
            case Select select ->
                String.format(
                        Locale.ROOT, "select(%s, %s, %s != 0)", v(select.no()), v(select.yes()), v(select.condition()));
        };
    }

    private String v(Expression part) {
        return "v_" + numberOf(part);
    }
}
