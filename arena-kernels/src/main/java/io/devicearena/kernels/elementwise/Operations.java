package io.devicearena.kernels.elementwise;

import io.devicearena.kernels.elementwise.Expression.Binary;
import io.devicearena.kernels.elementwise.Expression.Constant;
import io.devicearena.kernels.elementwise.Expression.Input;
import io.devicearena.kernels.elementwise.Expression.Select;
import io.devicearena.kernels.elementwise.Expression.Unary;
import io.devicearena.kernels.shape.Strided;
import io.devicearena.kernels.step.Loops;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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

    private static List<Expression> operands(Expression part) {
        return switch (part) {
            case Input _, Constant _ -> List.of();
            case Unary unary -> List.of(unary.x());
            case Binary binary -> List.of(binary.a(), binary.b());
            case Select select -> List.of(select.condition(), select.yes(), select.no());
        };
    }

    /** The parts in their order. */
    List<Expression> parts() {
        return List.copyOf(numbers.keySet());
    }

    /** The numbers of the operands of a part. */
    int[] operandsOf(Expression part) {
        return operands(part).stream().mapToInt(numbers::get).toArray();
    }

    /** How many inputs it has: one more than the largest number of an input. */
    int inputs() {
        return numbers.keySet().stream()
                .mapToInt(part -> part instanceof Input input ? input.number() + 1 : 0)
                .max()
                .orElse(0);
    }

    /** The text of a kernel: the inputs, and a function of the number of an element. */
    String wgsl(Loops loops, List<Strided> inputs) {
        StringBuilder text = new StringBuilder("//! use elementwise/functions\n");
        for (int i = 0; i < inputs.size(); i++) {
            text.append(String.format(Locale.ROOT, "const first_in_%d: u32 = 0u; //! job\n", i));
            text.append(String.format(Locale.ROOT, "@group(0) @binding(0) var<storage, read> in_%d: array<u32>;\n", i));
        }
        text.append("\nfn place(i: u32) -> u32 { return i; }\n\nfn element(i: u32) -> u32 {\n");
        if (inputs.size() > 0) {
            text.append(loops.places("i"));
        }
        numbers.forEach((part, number) ->
                text.append(String.format(Locale.ROOT, "    let v_%d = %s;\n", number, wgsl(part, loops, inputs))));
        return text.append(String.format(Locale.ROOT, "    return bitcast<u32>(v_%d);\n}\n", numbers.size() - 1))
                .toString();
    }

    private String wgsl(Expression part, Loops loops, List<Strided> inputs) {
        return switch (part) {
            case Input(int number, Expression.Type type) ->
                String.format(
                        Locale.ROOT,
                        "bitcast<%s>(in_%d[first_in_%2$d + %du + %s])",
                        type == Expression.Type.F32 ? "f32" : "i32",
                        number,
                        inputs.get(number).first(),
                        loops.place(number, "i"));
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
        return "v_" + numbers.get(part);
    }
}
