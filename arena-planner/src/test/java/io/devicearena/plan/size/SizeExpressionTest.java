package io.devicearena.plan.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.plan.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sizes that depend on dimensions: their values, and what is shown of all of them. */
class SizeExpressionTest {
    private static final Dimension TOKENS = new Dimension("tokens", 1, 512);
    private static final Dimension WIDTH = new Dimension("width", 32, 640, 32);

    private static SizeExpression number(long number) {
        return SizeExpression.of(number);
    }

    @Test
    void at_someSizes_isTheValueOfThePolynomial() {
        SizeExpression size = SizeExpression.of(TOKENS)
                .times(SizeExpression.of(WIDTH).dividedBy(4))
                .plus(number(3));

        assertThat(size.at(Map.of("tokens", 5L, "width", 64L))).isEqualTo(5 * 16 + 3);
        assertThat(size.atMost()).isEqualTo(512 * 160 + 3);
        assertThat(size.dimensions()).containsExactlyInAnyOrder(TOKENS, WIDTH);
        assertThat(size).hasToString("8 * tokens * (width / 32) + 3");
        assertThat(size.minus(size)).isEqualTo(number(0)).hasToString("0");
    }

    static LongStream seeds() {
        return Seeds.all();
    }

    /** Random polynomials: arithmetic agrees with that of numbers, and what is shown holds at all sizes. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void shownFacts_holdAtAllSizes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Dimension> dimensions = List.of(
                new Dimension("a", random.nextLong(3), 3 + random.nextLong(3)),
                new Dimension("b", 4, 4 * random.nextLong(1, 5), 4));
        SizeExpression one = random(random, dimensions);
        SizeExpression other = random(random, dimensions);
        long least = Long.MAX_VALUE;
        long[] multiples = new long[9];
        boolean grows = true;
        for (long a = dimensions.get(0).least(); a <= dimensions.get(0).most(); a++) {
            for (long b = 4; b <= dimensions.get(1).most(); b += 4) {
                Map<String, Long> sizes = Map.of("a", a, "b", b);
                long value = one.at(sizes);
                assertThat(one.plus(other).at(sizes)).isEqualTo(value + other.at(sizes));
                assertThat(one.times(other).at(sizes)).isEqualTo(value * other.at(sizes));
                assertThat(one.fixedAt(sizes)).isEqualTo(number(value));
                least = Math.min(least, value - other.at(sizes));
                for (int i = 1; i < multiples.length; i++) {
                    multiples[i] += value % i == 0 ? 0 : 1;
                }
                grows &= value >= 0 && value <= one.atMost();
            }
        }

        assertThat(!one.isAtLeast(other) || least >= 0).isTrue();
        assertThat(!one.isGrowing() || grows).isTrue();
        for (int i = 1; i < multiples.length; i++) {
            assertThat(!one.isMultipleOf(i) || multiples[i] == 0).isTrue();
        }
    }

    private static SizeExpression random(SplittableRandom random, List<Dimension> dimensions) {
        SizeExpression sum = number(random.nextLong(-4, 20));
        for (int i = random.nextInt(4); i > 0; i--) {
            SizeExpression product = number(random.nextLong(-2, 8));
            for (int k = random.nextInt(3); k > 0; k--) {
                product = product.times(SizeExpression.of(dimensions.get(random.nextInt(2))));
            }
            sum = sum.plus(product);
        }
        return sum;
    }

    @Test
    void isAtLeast_ofAFixedBoundAndADimension_isShown() {
        assertThat(number(512).isAtLeast(SizeExpression.of(TOKENS))).isTrue();
        assertThat(number(511).isAtLeast(SizeExpression.of(TOKENS))).isFalse();
        assertThat(SizeExpression.of(TOKENS).minus(number(1)).isGrowing()).isTrue();
        assertThat(SizeExpression.of(TOKENS).minus(number(2)).isGrowing()).isFalse();
        assertThat(SizeExpression.of(WIDTH).isMultipleOf(32)).isTrue();
        assertThat(SizeExpression.of(WIDTH).isMultipleOf(64)).isFalse();
    }

    @Test
    void upTo_aLowerBound_hasTheSameValuesBelow() {
        SizeExpression size = SizeExpression.of(TOKENS).times(SizeExpression.of(TOKENS));
        SizeExpression lower = size.upTo(Map.of("tokens", 8L));

        assertThat(lower.atMost()).isEqualTo(64);
        assertThat(lower.at(Map.of("tokens", 5L))).isEqualTo(25);
        assertThatThrownBy(() -> lower.at(Map.of("tokens", 9L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dimension 'tokens': expected 1 to 8, got 9; plan with a larger upper bound");
    }

    @Test
    void sizesOfNoDimension_areRefusedWithTheBounds() {
        SizeExpression size = SizeExpression.of(WIDTH);

        assertThatThrownBy(() -> size.at(Map.of("width", 33L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dimension 'width': expected 32 to 640, a multiple of 32, got 33");
        assertThatThrownBy(() -> size.at(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dimension 'width': expected 32 to 640, a multiple of 32, got no size");
        assertThatThrownBy(() -> size.dividedBy(5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "size: expected a multiple of 5 at all sizes, got 32 * (width / 32); say what its dimensions"
                                + " are multiples of");
        assertThatThrownBy(() -> new Dimension("width", 32, 650, 32))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dimension 'width': expected 0 or more to as much or more, both multiples of 1 or more, got"
                        + " 32 to 650, multiples of 32");
        assertThatThrownBy(() -> new Dimension(" ", 1, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dimension: expected a name, got ' '");
    }

    @Test
    void sizesThatAreTooLarge_areRefusedWithTheValue() {
        SizeExpression huge = number(Long.MAX_VALUE);
        SizeExpression size =
                SizeExpression.of(new Dimension("n", 1, Long.MAX_VALUE)).times(number(2));

        assertThatThrownBy(() -> huge.plus(number(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "size: expected at most 9223372036854775807, got 9223372036854775808; lower the upper bounds"
                                + " of the dimensions");
        assertThatThrownBy(size::atMost)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("size: expected at most 9223372036854775807, got 18446744073709551614; lower the upper"
                        + " bounds of the dimensions");
    }

    @Test
    void hostileExpressions_areRefusedByTheirTerms() {
        SizeExpression many = Stream.iterate(0, i -> i < 65, i -> i + 1)
                .map(i -> SizeExpression.of(new Dimension("d" + i, 1, 2)))
                .limit(64)
                .reduce(number(0), SizeExpression::plus);
        SizeExpression[] factors = new SizeExpression[9];
        Arrays.fill(factors, SizeExpression.of(TOKENS));

        assertThatThrownBy(() -> many.plus(SizeExpression.of(TOKENS)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("size: expected at most 64 terms of at most 8 factors, got 65 of 1");
        assertThatThrownBy(() -> SizeExpression.product(List.of(factors)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("size: expected at most 64 terms of at most 8 factors, got 1 of 9");
    }
}
