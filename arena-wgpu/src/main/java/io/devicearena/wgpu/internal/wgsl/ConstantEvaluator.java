package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.internal.wgsl.WgslModule.Constant;
import io.devicearena.wgpu.internal.wgsl.WgslTokens.Range;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Evaluates integer expressions at module scope, such as the length of an array. What it does not know has no value.
 *
 * <p>Threads: one thread at a time.
 *
 * <p>Source: WGSL, sections 3.6.1 (numeric literals) and 8.7 to 8.9 (operators).
 */
final class ConstantEvaluator {
    /** A value beyond the range of i32 and u32, or an operator that is not known. */
    private static final class Unknown extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unknown() {
            super(null, null, false, false);
        }
    }

    private static final int MAX_DEPTH = 64;
    private static final long MAX = 0xFFFF_FFFFL;
    private static final Set<String> CONVERSIONS = Set.of("u32", "i32");

    /** Operators from the weakest to the strongest; those of one string bind equally. */
    private static final String[] BINARY = {"|", "^", "&", "<>", "+-", "*/%"};

    private final WgslModule module;
    /** Values that the caller sets, and those that are known already. */
    private final Map<String, OptionalLong> known;

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
        this.known = new HashMap<>();
        given.forEach((name, value) ->
                known.put(name, value == Math.rint(value) ? OptionalLong.of(value.longValue()) : OptionalLong.empty()));
    }

    /** Returns the value of an expression, if it is a known integer. */
    OptionalLong value(Range expression) {
        int outerAt = at;
        int outerEnd = end;
        at = expression.begin();
        end = expression.end();
        try {
            long value = binary(0);
            return at == end ? OptionalLong.of(value) : OptionalLong.empty();
        } catch (Unknown _) {
            return OptionalLong.empty();
        } finally {
            at = outerAt;
            end = outerEnd;
        }
    }

    private long binary(int level) {
        if (level == BINARY.length) {
            return unary();
        }
        long left = binary(level + 1);
        while (at < end && BINARY[level].contains(module.token(at).text())) {
            String operator = module.token(at).text();
            boolean shift = BINARY[level].equals("<>");
            if (shift && !(module.is(at + 1, operator) && at + 1 < end)) {
                throw new Unknown(); // a comparison
            }
            at += shift ? 2 : 1;
            left = within(apply(operator, left, binary(level + 1)));
        }
        return left;
    }

    private static long apply(String operator, long left, long right) {
        return switch (operator) {
            case "|" -> left | right;
            case "^" -> left ^ right;
            case "&" -> left & right;
            case "+" -> left + right;
            case "-" -> left - right;
            case "*" -> left * right;
            case "<" -> left << within(right, 31);
            case ">" -> left >> within(right, 31);
            case "/" -> left / nonZero(right);
            default -> left % nonZero(right);
        };
    }

    private static long within(long value) {
        if (value < Integer.MIN_VALUE || value > MAX) {
            throw new Unknown();
        }
        return value;
    }

    private static long within(long value, long most) {
        if (value < 0 || value > most) {
            throw new Unknown();
        }
        return value;
    }

    private static long nonZero(long value) {
        if (value == 0) {
            throw new Unknown();
        }
        return value;
    }

    private long unary() {
        if (at >= end || depth > MAX_DEPTH) {
            throw new Unknown();
        }
        depth++;
        try {
            WgslToken token = module.token(at++);
            return switch (token.kind()) {
                case NUMBER -> literal(token.text());
                case NAME -> CONVERSIONS.contains(token.text()) && module.is(at, "(") ? unary() : named(token.text());
                case SYMBOL ->
                    switch (token.text()) {
                        case "-" -> within(-unary());
                        case "(" -> parenthesized();
                        default -> throw new Unknown();
                    };
            };
        } finally {
            depth--;
        }
    }

    private long parenthesized() {
        long value = binary(0);
        if (at >= end || !module.is(at, ")")) {
            throw new Unknown();
        }
        at++;
        return value;
    }

    private long named(String name) {
        OptionalLong answer = known.get(name);
        if (answer == null) {
            known.put(name, OptionalLong.empty()); // a constant that needs itself has no value
            Optional<Constant> constant = module.constant(name);
            Range value = constant.isPresent() ? constant.get().value() : null;
            answer = value == null ? OptionalLong.empty() : value(value);
            known.put(name, answer);
        }
        return answer.orElseThrow(Unknown::new);
    }

    private static long literal(String text) {
        boolean hex = text.startsWith("0x") || text.startsWith("0X");
        String digits = text.substring(hex ? 2 : 0);
        if (digits.endsWith("u") || digits.endsWith("i")) {
            digits = digits.substring(0, digits.length() - 1);
        }
        try {
            return within(Long.parseLong(digits, hex ? 16 : 10));
        } catch (NumberFormatException _) { // a float, or too large
            throw new Unknown();
        }
    }
}
