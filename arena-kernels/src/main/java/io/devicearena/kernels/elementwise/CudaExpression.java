package io.devicearena.kernels.elementwise;

import static java.util.Objects.requireNonNull;

import io.devicearena.kernels.elementwise.Expression.Binary;
import io.devicearena.kernels.elementwise.Expression.Constant;
import io.devicearena.kernels.elementwise.Expression.Input;
import io.devicearena.kernels.elementwise.Expression.Select;
import io.devicearena.kernels.elementwise.Expression.Sum;
import io.devicearena.kernels.elementwise.Expression.Unary;
import io.devicearena.kernels.step.Words;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An expression as numbers: no compiler is there when a step is recorded, so a kernel in CUDA computes one operation
 * after the other. {@code expression.cuh} has the same numbers.
 */
final class CudaExpression {
    private static final int MOST_OPERATIONS = 48;
    private static final int MOST_CONSTANTS = 24;

    // what an operand is: 0 is the sum
    private static final int FIRST_INPUT = 1;
    private static final int FIRST_RESULT = FIRST_INPUT + Elementwise.MOST_INPUTS;
    private static final int FIRST_CONSTANT = 128;

    // what is done; in front are the operations on one operand
    private static final int FIRST_BINARY = 32;
    private static final int SELECT = 63;
    private static final int OF_INTEGERS = 64;

    private final Map<Expression, Integer> numbers = new HashMap<>();
    private final List<Integer> operations = new ArrayList<>();
    private final List<Integer> constants = new ArrayList<>();
    private final List<Input> inputs = new ArrayList<>();

    private CudaExpression() {}

    /** Adds the structure {@code Expression}. */
    static Words addTo(Words words, Expression expression) {
        CudaExpression all = new CudaExpression();
        Operations.of(expression).parts().forEach(part -> all.numbers.put(part, all.next(part)));
        if (all.inputs.size() > Elementwise.MOST_INPUTS
                || all.operations.size() > MOST_OPERATIONS
                || all.constants.size() > MOST_CONSTANTS) {
            throw new IllegalArgumentException(
                    "expression of a kernel in CUDA: expected at most " + Elementwise.MOST_INPUTS
                            + " values, " + MOST_OPERATIONS + " operations and " + MOST_CONSTANTS + " numbers, got "
                            + all.inputs.size() + ", " + all.operations.size() + " and " + all.constants.size()
                            + "; make two steps of it");
        }
        return words.add(all.operations.size(), all.number(expression))
                .padded(all.operations, MOST_OPERATIONS)
                .padded(all.constants, MOST_CONSTANTS);
    }

    private int number(Expression part) {
        return requireNonNull(numbers.get(part));
    }

    /** Returns the number of a part whose operands have theirs. */
    private int next(Expression part) {
        return switch (part) {
            case Sum() -> 0;
            case Input input -> FIRST_INPUT + added(inputs, input);
            case Constant constant -> FIRST_CONSTANT + added(constants, constant.bits());
            case Unary unary -> operation(unary, Words.numberOf(unary.operation()));
            case Binary binary -> operation(binary, FIRST_BINARY + Words.numberOf(binary.operation()));
            case Select select -> operation(select, SELECT);
        };
    }

    private static <T> int added(List<T> list, T element) {
        list.add(element);
        return list.size() - 1;
    }

    /** Adds an operation: a byte for what is done, and one for each operand. */
    private int operation(Expression part, int what) {
        List<Expression> operands = Operations.operands(part);
        int word = operands.getFirst().type() == Expression.Type.I32 ? what | OF_INTEGERS : what;
        for (int i = 0; i < operands.size(); i++) {
            word |= number(operands.get(i)) << (Byte.SIZE * (i + 1));
        }
        return FIRST_RESULT + added(operations, word);
    }
}
