package io.devicearena.plan.size;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A size as a polynomial in free dimensions, with whole coefficients: {@code 64 * tokens}, or {@code batch * tokens *
 * tokens + 1}.
 *
 * <p>What it says of all sizes, it proves: that one expression is never smaller than another, or always a multiple of a
 * number. There are true statements that it cannot prove; a planner then does without what needed them.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class SizeExpression {
    /** Of shapes of real networks: a term for each axis of a concatenation, a degree of 2 for each pair of axes. */
    private static final int MOST_TERMS = 64;

    private static final int MOST_DEGREE = 8;

    private static final Comparator<Dimension> ORDER =
            Comparator.comparing(Dimension::name).thenComparing(Dimension::toString);

    private final long constant;
    /** Coefficients of products of dimensions, each in units of what it is a multiple of; no coefficient is 0. */
    private final Map<List<Dimension>, Long> terms;

    private SizeExpression(long constant, Map<List<Dimension>, Long> terms) {
        this.constant = constant;
        this.terms = terms;
    }

    /**
     * {@return a size that depends on no dimension}
     *
     * @param size any number
     */
    public static SizeExpression of(long size) {
        return new SizeExpression(size, Map.of());
    }

    /**
     * {@return the size of a dimension}
     *
     * @param dimension the dimension
     */
    public static SizeExpression of(Dimension dimension) {
        return new SizeExpression(0, Map.of(List.of(dimension), dimension.multipleOf()));
    }

    /**
     * {@return the product of sizes; 1 of none}
     *
     * @param factors the sizes
     * @throws IllegalArgumentException if the product has more than 64 terms or a degree above 8, or a coefficient is
     *     more than a long holds
     */
    public static SizeExpression product(List<SizeExpression> factors) {
        return factors.stream().reduce(of(1), SizeExpression::times);
    }

    /**
     * {@return the sum of this and another size}
     *
     * @param other the other one
     * @throws IllegalArgumentException if the sum has more than 64 terms, or a coefficient is more than a long holds
     */
    public SizeExpression plus(SizeExpression other) {
        if (isConstant() && other.isConstant()) {
            return of(sum(constant, other.constant));
        }
        Map<List<Dimension>, Long> all = new LinkedHashMap<>(terms);
        other.terms.forEach((factors, coefficient) -> add(all, factors, coefficient));
        return of(sum(constant, other.constant), all);
    }

    /**
     * {@return this size less another one}
     *
     * @param other the other one
     * @throws IllegalArgumentException as {@link #plus}
     */
    public SizeExpression minus(SizeExpression other) {
        return plus(other.times(of(-1)));
    }

    /**
     * {@return the product of this and another size}
     *
     * @param other the other one
     * @throws IllegalArgumentException as {@link #product}
     */
    public SizeExpression times(SizeExpression other) {
        if (isConstant() && other.isConstant()) {
            return of(multiplied(constant, other.constant));
        }
        Map<List<Dimension>, Long> all = new LinkedHashMap<>();
        withConstant()
                .forEach((left, a) -> other.withConstant().forEach((right, b) -> {
                    List<Dimension> factors = new ArrayList<>(left);
                    factors.addAll(right);
                    factors.sort(ORDER);
                    add(all, List.copyOf(factors), multiplied(a, b));
                }));
        Long rest = all.remove(List.<Dimension>of());
        return of(rest == null ? 0 : rest, all);
    }

    /**
     * {@return this size divided by a number}
     *
     * @param divisor 1 or more
     * @throws IllegalArgumentException if the size is not shown to be a multiple of it
     */
    public SizeExpression dividedBy(long divisor) {
        if (divisor < 1 || !isMultipleOf(divisor)) {
            throw new IllegalArgumentException("size: expected a multiple of " + divisor + " at all sizes, got " + this
                    + "; say what its dimensions are multiples of");
        }
        Map<List<Dimension>, Long> all = new LinkedHashMap<>(terms);
        all.replaceAll((factors, coefficient) -> coefficient / divisor);
        return new SizeExpression(constant / divisor, all);
    }

    private static SizeExpression of(long constant, Map<List<Dimension>, Long> terms) {
        int degree = terms.keySet().stream().mapToInt(List::size).max().orElse(0);
        if (terms.size() > MOST_TERMS || degree > MOST_DEGREE) {
            throw new IllegalArgumentException("size: expected at most " + MOST_TERMS + " terms of at most "
                    + MOST_DEGREE + " factors, got " + terms.size() + " of " + degree);
        }
        return new SizeExpression(constant, Collections.unmodifiableMap(terms));
    }

    private static void add(Map<List<Dimension>, Long> terms, List<Dimension> factors, long coefficient) {
        Long found = terms.remove(factors);
        long all = found == null ? coefficient : sum(found, coefficient);
        if (all != 0) {
            terms.put(factors, all);
        }
    }

    private Map<List<Dimension>, Long> withConstant() {
        Map<List<Dimension>, Long> all = new LinkedHashMap<>(terms);
        add(all, List.of(), constant);
        return all;
    }

    private static long sum(long a, long b) {
        try {
            return Math.addExact(a, b);
        } catch (ArithmeticException e) {
            throw tooLarge(BigInteger.valueOf(a).add(BigInteger.valueOf(b)));
        }
    }

    private static long multiplied(long a, long b) {
        try {
            return Math.multiplyExact(a, b);
        } catch (ArithmeticException e) {
            throw tooLarge(BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)));
        }
    }

    private static IllegalArgumentException tooLarge(BigInteger value) {
        return new IllegalArgumentException("size: expected at most " + Long.MAX_VALUE + ", got " + value
                + "; lower the upper bounds of the dimensions");
    }

    /** {@return whether the size depends on no dimension} */
    public boolean isConstant() {
        return terms.isEmpty();
    }

    /** {@return the dimensions that the size depends on} */
    public Set<Dimension> dimensions() {
        return terms.keySet().stream().flatMap(List::stream).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * {@return the size with some sizes of its dimensions, which depends on none}
     *
     * @param sizes a size for each of {@link #dimensions}, and any others
     * @throws IllegalArgumentException if a size is missing or not of its dimension, or the value is more than a long
     *     holds
     */
    public SizeExpression fixedAt(Map<String, Long> sizes) {
        return with(dimension -> {
            @Nullable Long size = sizes.get(dimension.name());
            if (size == null) {
                throw new IllegalArgumentException(
                        "dimension '" + dimension.name() + "': expected " + dimension + ", got no size");
            }
            return of(dimension.require(size) / dimension.multipleOf());
        });
    }

    /**
     * {@return the value at some sizes}
     *
     * @param sizes a size for each of {@link #dimensions}, and any others
     * @throws IllegalArgumentException as {@link #fixedAt}
     */
    public long at(Map<String, Long> sizes) {
        return fixedAt(sizes).constant;
    }

    /**
     * {@return the value at the upper bound of each dimension}
     *
     * @throws IllegalArgumentException if it is more than a long holds
     */
    public long atMost() {
        return with(dimension -> of(dimension.most() / dimension.multipleOf())).constant;
    }

    /** The same sum of products, with another expression for the units of each dimension. */
    private SizeExpression with(Function<Dimension, SizeExpression> units) {
        SizeExpression sum = of(constant);
        for (Map.Entry<List<Dimension>, Long> term : terms.entrySet()) {
            SizeExpression product = of(term.getValue());
            for (Dimension factor : term.getKey()) {
                product = product.times(units.apply(factor));
            }
            sum = sum.plus(product);
        }
        return sum;
    }

    /**
     * {@return the same size with lower upper bounds}
     *
     * @param bounds the bounds by the names of dimensions; others keep theirs
     * @throws IllegalArgumentException if a bound is no size of its dimension
     */
    public SizeExpression upTo(Map<String, Long> bounds) {
        return with(dimension -> new SizeExpression(
                0, Map.of(List.of(dimension.upTo(bounds.getOrDefault(dimension.name(), dimension.most()))), 1L)));
    }

    /**
     * {@return whether this size is shown to be a multiple of a number, whatever the dimensions are}
     *
     * @param number 1 or more
     */
    public boolean isMultipleOf(long number) {
        return constant % number == 0 && terms.values().stream().allMatch(coefficient -> coefficient % number == 0);
    }

    /**
     * {@return whether this size is shown to be no less than another one, whatever the dimensions are} Terms of the
     * difference that grow count at the lower bounds, and those that shrink at the upper bounds.
     *
     * @param other the other one
     * @throws IllegalArgumentException if the difference, in terms of lower bounds, has too many terms or
     *     too large ones
     */
    public boolean isAtLeast(SizeExpression other) {
        if (isConstant() && other.isConstant()) {
            return constant >= other.constant;
        }
        SizeExpression above = minus(other).aboveLeast();
        Map<List<Dimension>, Long> falling = new LinkedHashMap<>(above.terms);
        falling.values().removeIf(coefficient -> coefficient > 0);
        return new SizeExpression(above.constant, falling)
                        .with(factor -> of((factor.most() - factor.least()) / factor.multipleOf()))
                        .constant
                >= 0;
    }

    /**
     * {@return whether this size is shown to be 0 or more, and to shrink with no dimension that grows}
     *
     * @throws IllegalArgumentException if the size, in terms of lower bounds, has too many terms or too large ones
     */
    public boolean isGrowing() {
        SizeExpression above = aboveLeast();
        return above.constant >= 0 && above.terms.values().stream().allMatch(coefficient -> coefficient > 0);
    }

    /** The same size in terms of what each dimension is above its lower bound. */
    private SizeExpression aboveLeast() {
        return with(factor -> new SizeExpression(factor.least() / factor.multipleOf(), Map.of(List.of(factor), 1L)));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SizeExpression size && constant == size.constant && terms.equals(size.terms);
    }

    @Override
    public int hashCode() {
        return Objects.hash(constant, terms);
    }

    /** Returns the sum of its terms. */
    @Override
    public String toString() {
        List<String> sum = new ArrayList<>();
        withConstant().forEach((factors, coefficient) -> {
            List<String> product = new ArrayList<>();
            if (coefficient != 1 || factors.isEmpty()) {
                product.add(coefficient.toString());
            }
            factors.forEach(factor -> product.add(
                    factor.multipleOf() == 1
                            ? factor.name()
                            : "(" + factor.name() + " / " + factor.multipleOf() + ")"));
            sum.add(String.join(" * ", product));
        });
        return sum.isEmpty() ? "0" : String.join(" + ", sum);
    }
}
