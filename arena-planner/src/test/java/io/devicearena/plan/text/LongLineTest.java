package io.devicearena.plan.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Reader;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class LongLineTest {
    private static final long TWENTY_MILLION = 20_000_000;

    /** A text of one line without an end, made as it is read; it counts what was taken from it. */
    private static final class OneLine extends Reader {
        private long given;

        @Override
        public int read(char[] target, int offset, int length) {
            int count = (int) Math.min(length, TWENTY_MILLION - given);
            Arrays.fill(target, offset, offset + count, '1');
            given += count;
            return count == 0 ? -1 : count;
        }

        @Override
        public void close() {
            given = TWENTY_MILLION;
        }
    }

    private static void assertRefusedEarly(OneLine text, ThrowingCallable reading) {
        assertThatThrownBy(reading)
                .isInstanceOf(PlanFormatException.class)
                .hasMessage(
                        "line 1, column 65537: expected a line of at most 65536 characters, got a longer one; is this"
                                + " the right file?");
        assertThat(text.given).isLessThan(100_000);
    }

    @Test
    void aLineOfTwentyMillionCharactersIsRefusedAfterItsBeginning() {
        OneLine csv = new OneLine();
        assertRefusedEarly(csv, () -> BufferCsv.read(csv));
        OneLine plan = new OneLine();
        assertRefusedEarly(plan, () -> PlanText.read(plan));
    }

    @Test
    void theLongestLineIsRead() {
        String longest = "x".repeat(LineReader.LONGEST_LINE);

        assertThatThrownBy(() -> PlanText.parse(longest))
                .hasMessage("line 1, column 1: expected 'device-arena-plan/2', got '" + "x".repeat(40) + "…'");
    }
}
