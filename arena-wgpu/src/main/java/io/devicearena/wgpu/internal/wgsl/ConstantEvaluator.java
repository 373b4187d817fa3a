package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.internal.wgsl.WgslTokens.Range;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Evaluates integer expressions at module scope, such as the length of an array: sums, products, shifts, and
 * conversions between i32 and u32. What it does not know has no value.
 *
 * <p>Threads: one thread at a time.
 *
 * <p>Source: WGSL, sections 3.6.1 (numeric literals) and 8.7 to 8.9 (operators).
 */
final class ConstantEvaluator {
    private static final int MAX_DEPTH = 64;
    private static final long MAX = 0xFFFF_FFFFL;
    private static final Set<String> CONVERSIONS = Set.of("u32", "i32");

    /** Operators from the weakest to the strongest; those of one string bind equally. */
    private static final String[] BINARY = {"<>", "+-", "*/%"};

    private final WgslModule module;
    /** Values that the caller sets, and those that are known already. */
    private final Map<String, Optional<Long>> known = new HashMap<>();

    private int at;
    private int end;
    private int depth;

    /**
     * Makes an evaluator.
     *
     * @param given the values of override constants; a constant without one has its default
     */
    ConstantEvaluator(WgslModule module, Map<String, Double> given) {
        this.module = module;
        given.forEach((name, value) ->
                known.put(name, value == Math.rint(value) ? Optional.of(value.longValue()) : Optional.empty()));
    }

    /** Returns the value of an expression, if it is a known integer. */
    Optional<Long> value(Range expression) {
        int outerAt = at;
        int outerEnd = end;
        at = expression.begin();
        end = expression.end();
        try {
            long value = binary(0);
            return at == end ? Optional.of(value) : Optional.empty();
        } catch (ArithmeticException | NumberFormatException _) {
            return Optional.empty();
        } finally {
            at = outerAt;
            end = outerEnd;
        }
    }

    private long binary(int level) {
        if (level == BINARY.length) {
            return operand();
        }
        long left = binary(level + 1);
        while (at < end && BINARY[level].contains(module.token(at).text())) {
            String operator = module.token(at++).text();
            if (level == 0) {
                expect(operator); // one alone is a comparison
            }
            long right = binary(level + 1);
            left = within(
                    Integer.MIN_VALUE,
                    MAX,
                    switch (operator) {
                        case "+" -> left + right;
                        case "-" -> left - right;
                        case "*" -> left * right;
                        case "<" -> left << within(0, 31, right);
                        case ">" -> left >> within(0, 31, right);
                        case "/" -> left / right;
                        default -> left % right;
                    });
        }
        return left;
    }

    private long operand() {
        if (at >= end || depth > MAX_DEPTH) {
            throw unknown();
        }
        depth++;
        try {
            WgslToken token = module.token(at++);
            return switch (token.kind()) {
                case NUMBER -> within(0, MAX, Long.decode(token.text().replaceFirst("[iu]$", "")));
                case NAME -> CONVERSIONS.contains(token.text()) && module.is(at, "(") ? operand() : named(token.text());
                case SYMBOL ->
                    switch (token.text()) {
                        case "-" -> -operand();
                        case "(" -> {
                            long value = binary(0);
                            expect(")");
                            yield value;
                        }
                        default -> throw unknown();
                    };
            };
        } finally {
            depth--;
        }
    }

    private void expect(String text) {
        if (at >= end || !module.is(at++, text)) {
            throw unknown();
        }
    }

    private long named(String name) {
        Optional<Long> answer = known.get(name);
        if (answer == null) {
            known.put(name, Optional.empty()); // a constant that needs itself has no value
            answer = module.constant(name).flatMap(this::value);
            known.put(name, answer);
        }
        return answer.orElseThrow(ConstantEvaluator::unknown);
    }

    private static long within(long least, long most, long value) {
        if (value < least || value > most) {
            throw unknown();
        }
        return value;
    }

    private static ArithmeticException unknown() {
        return new ArithmeticException("a value beyond the range of i32 and u32, or an operator that is not known");
    }
}
