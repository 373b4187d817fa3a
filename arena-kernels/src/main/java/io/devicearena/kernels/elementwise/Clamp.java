package io.devicearena.kernels.elementwise;

import io.devicearena.kernels.elementwise.Expression.Binary;
import io.devicearena.kernels.elementwise.Expression.Constant;
import java.util.Optional;

/**
 * Operations with numbers in one loop: min(max(x factor + shift, least), most). Activations consist of them, and a loop
 * takes as long for all four as for one.
 *
 * @param x the expression that they begin with
 */
record Clamp(Expression x, float factor, float shift, float least, float most) {
    private static Clamp of(Expression x) {
        // of zeros, -0 is the one that changes nothing
        return new Clamp(x, 1, -0f, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY);
    }

    /** The longest one that ends with a part of an expression, if that is an operation with a number. */
    static Optional<Clamp> of(Expression part, Operations all) {
        if (!(part instanceof Binary binary) || part.type() != Expression.Type.F32) {
            return Optional.empty();
        }
        boolean isFirst = binary.a() instanceof Constant;
        Expression number = isFirst ? binary.a() : binary.b();
        Expression other = isFirst ? binary.b() : binary.a();
        if (!(number instanceof Constant(int bits, Expression.Type _))) {
            return Optional.empty();
        }
        float value = Float.intBitsToFloat(bits);
        return Optional.of(other)
                .filter(inner -> all.uses(inner) == 1)
                .flatMap(inner -> of(inner, all))
                .flatMap(before -> before.then(binary.operation(), value))
                .or(() -> of(other).then(binary.operation(), value));
    }

    /** The same with one more operation, if the result is the same to the bit. */
    private Optional<Clamp> then(BinaryOperation operation, float value) {
        boolean isOpen = most == Float.POSITIVE_INFINITY;
        boolean isProduct = isOpen && least == Float.NEGATIVE_INFINITY && shift == 0;
        return Optional.ofNullable(
                switch (operation) {
                    case MULTIPLY -> isProduct && factor == 1 ? new Clamp(x, value, shift, least, most) : null;
                    case ADD -> isProduct ? new Clamp(x, factor, value, least, most) : null;
                    case MAXIMUM -> isOpen ? new Clamp(x, factor, shift, Math.max(least, value), most) : null;
                    case MINIMUM -> new Clamp(x, factor, shift, least, Math.min(most, value));
                    default -> null;
                });
    }

    void apply(float[] from, float[] to, int count) {
        apply(from, factor, shift, least, most, to, count);
    }

    private static void apply(float[] x, float factor, float shift, float least, float most, float[] to, int count) {
        for (int i = 0; i < count; i++) {
            to[i] = Math.min(Math.max(x[i] * factor + shift, least), most);
        }
    }
}
