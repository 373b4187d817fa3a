package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.wgpu.internal.wgsl.WgslModule.Constant;
import io.devicearena.wgpu.internal.wgsl.WgslTokens.Range;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The types of constants: as declared, or as their default implies.
 *
 * <p>Threads: one thread at a time.
 *
 * <p>Source: WGSL, sections 6.1.2 (conversion rank) and 7.2 (value declarations).
 */
final class ConstantTypes {
    private static final int MAX_DEPTH = 64;
    private static final Set<String> LOGICAL = Set.of("=", "!", "<", ">", "&", "|");

    private final WgslModule module;
    private final Map<String, Optional<ScalarType>> known = new HashMap<>();
    /** Whether a const holds a number without a type. */
    private final Map<String, Boolean> abstracts = new HashMap<>();

    private int depth;

    ConstantTypes(WgslModule module) {
        this.module = module;
    }

    /** Returns the type of a constant; empty if it is not known. */
    Optional<ScalarType> of(Constant constant) {
        String name = constant.name().text();
        Optional<ScalarType> type = known.get(name);
        if (type == null) {
            known.put(name, Optional.empty()); // a constant that needs itself has no type
            Range declared = constant.type();
            Range value = constant.value();
            type = declared != null ? declared(declared) : value != null ? implied(value) : Optional.empty();
            known.put(name, type);
        }
        return type;
    }

    private Optional<ScalarType> declared(Range type) {
        Range resolved = type;
        for (int i = 0; i < MAX_DEPTH && resolved.end() - resolved.begin() == 1; i++) {
            String name = module.token(resolved.begin()).text();
            Optional<ScalarType> scalar = ScalarType.of(name);
            Optional<Range> alias = module.alias(name);
            if (alias.isEmpty()) {
                return scalar;
            }
            resolved = alias.get();
        }
        return Optional.empty();
    }

    /** The type of an expression: that of its operands, with numbers without a suffix as i32 or f32. */
    private Optional<ScalarType> implied(Range value) {
        if (depth > MAX_DEPTH) {
            return Optional.empty();
        }
        depth++;
        try {
            ScalarType concrete = null;
            boolean fraction = false;
            for (int i = value.begin(); i < value.end(); ) {
                WgslToken token = module.token(i);
                Optional<ScalarType> operand = Optional.empty();
                int next = i + 1;
                switch (token.kind()) {
                    case NUMBER -> {
                        operand = suffix(token.text());
                        fraction |= operand.isEmpty() && isFraction(token.text());
                    }
                    case NAME -> {
                        operand = operand(token.text());
                        if (operand.isEmpty()) {
                            return Optional.empty();
                        }
                        next = module.is(next, "(") ? module.skip(next) : next;
                    }
                    case SYMBOL -> {
                        if (LOGICAL.contains(token.text()) && !isShiftOrBitwise(i)) {
                            return Optional.of(ScalarType.BOOL);
                        }
                    }
                }
                concrete = operand.isPresent() && !isAbstract(token) ? operand.get() : concrete;
                fraction |= operand.isPresent() && isAbstract(token) && operand.get() == ScalarType.F32;
                i = next;
            }
            return Optional.of(concrete != null ? concrete : fraction ? ScalarType.F32 : ScalarType.I32);
        } finally {
            depth--;
        }
    }

    /** Whether an operator is one of {@code << >> & | } and not a comparison or a logical one. */
    private boolean isShiftOrBitwise(int at) {
        String text = module.token(at).text();
        boolean doubled = module.is(at + 1, text) || (at > 0 && module.is(at - 1, text));
        return switch (text) {
            case "<", ">" -> doubled;
            case "&", "|" -> !doubled;
            default -> false;
        };
    }

    private Optional<ScalarType> operand(String name) {
        return switch (name) {
            case "true", "false" -> Optional.of(ScalarType.BOOL);
            default ->
                module.constant(name).isPresent()
                        ? of(module.constant(name).get())
                        : module.alias(name).isPresent()
                                ? declared(module.alias(name).get())
                                : ScalarType.of(name);
        };
    }

    /** Whether a name is a const without a type, whose number takes the type of the expression. */
    private boolean isAbstract(WgslToken token) {
        if (!token.isName() || module.constant(token.text()).isEmpty()) {
            return false;
        }
        Boolean answer = abstracts.get(token.text());
        if (answer == null) {
            abstracts.put(token.text(), false); // a constant that needs itself
            answer = isAbstract(module.constant(token.text()).get());
            abstracts.put(token.text(), answer);
        }
        return answer;
    }

    private boolean isAbstract(Constant constant) {
        Range value = constant.value();
        if (constant.isOverride() || constant.type() != null || value == null || depth > MAX_DEPTH) {
            return false;
        }
        depth++;
        try {
            for (int i = value.begin(); i < value.end(); i++) {
                WgslToken token = module.token(i);
                boolean typed = token.kind() == WgslToken.Kind.NUMBER
                        ? suffix(token.text()).isPresent()
                        : token.isName() && !isAbstract(token);
                if (typed) {
                    return false;
                }
            }
            return true;
        } finally {
            depth--;
        }
    }

    private static Optional<ScalarType> suffix(String number) {
        boolean hex = number.startsWith("0x") || number.startsWith("0X");
        boolean exponent = number.indexOf('p') >= 0 || number.indexOf('P') >= 0;
        return switch (number.charAt(number.length() - 1)) {
            case 'u' -> Optional.of(ScalarType.U32);
            case 'i' -> Optional.of(ScalarType.I32);
            case 'h' -> Optional.of(ScalarType.F16);
            case 'f' -> hex && !exponent ? Optional.empty() : Optional.of(ScalarType.F32);
            default -> Optional.empty();
        };
    }

    private static boolean isFraction(String number) {
        boolean hex = number.startsWith("0x") || number.startsWith("0X");
        return number.indexOf('.') >= 0
                || (!hex && (number.indexOf('e') >= 0 || number.indexOf('E') >= 0))
                || (hex && (number.indexOf('p') >= 0 || number.indexOf('P') >= 0));
    }
}
