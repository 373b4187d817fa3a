package io.devicearena.plan.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ContestTest {
    @Test
    void answersComeInTheOrderOfTheTasks() {
        List<Function<BooleanSupplier, Integer>> tasks = numbers(100);
        assertThat(new Contest<>(tasks, answer -> false).run())
                .containsExactlyElementsOf(IntStream.range(0, 100).boxed().toList());
        assertThat(new Contest<Integer>(List.of(), answer -> false).run()).isEmpty();
    }

    @RepeatedTest(50)
    void theFirstThatIsEnoughIsTheLastAnswer() {
        List<Function<BooleanSupplier, Integer>> tasks = numbers(40);
        CountDownLatch later = new CountDownLatch(1);
        // Where another thread helps, the one at 20 is done first.
        tasks.set(10, unwanted -> {
            isDone(later, 5);
            return 10;
        });
        tasks.set(20, unwanted -> {
            later.countDown();
            return 20;
        });
        assertThat(new Contest<>(tasks, answer -> answer == 10 || answer == 20).run())
                .hasSize(11)
                .endsWith(10);
    }

    @Test
    void whoIsBehindOneThatIsEnoughIsToldSo() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        Function<BooleanSupplier, Boolean> first = unwanted -> isDone(begun) && !unwanted.getAsBoolean();
        Function<BooleanSupplier, Boolean> second = unwanted -> {
            begun.countDown();
            while (!unwanted.getAsBoolean()) {
                Thread.onSpinWait();
            }
            told.countDown();
            return true;
        };
        assertThat(new Contest<>(List.of(first, second), answer -> answer).run())
                .containsExactly(true);
        assertThat(isDone(told)).isTrue();
    }

    @Test
    void twoTasksAreDoneSideBySide() {
        CountDownLatch both = new CountDownLatch(2);
        Function<BooleanSupplier, Boolean> meets = unwanted -> {
            both.countDown();
            return isDone(both);
        };
        assertThat(new Contest<>(List.of(meets, meets), answer -> false).run()).containsExactly(true, true);
    }

    @Test
    void aBusyPoolOnlyTakesTheHelpAway() {
        Set<Thread> seen = ConcurrentHashMap.newKeySet();
        List<Function<BooleanSupplier, Integer>> tasks = new ArrayList<>();
        numbers(20)
                .forEach(number -> tasks.add(unwanted -> {
                    seen.add(Thread.currentThread());
                    return number.apply(unwanted);
                }));
        assertThat(BusyPool.during(() -> new Contest<>(tasks, answer -> false).run()))
                .hasSize(20);
        assertThat(seen).containsExactly(Thread.currentThread());
    }

    @RepeatedTest(20)
    void whatATaskThrowsReachesTheCallerUnlessOneBeforeItIsEnough() {
        List<Function<BooleanSupplier, Integer>> tasks = numbers(10);
        tasks.set(3, unwanted -> {
            throw new IllegalStateException("third");
        });
        assertThatThrownBy(() -> new Contest<>(tasks, answer -> answer == 5).run())
                .isInstanceOf(IllegalStateException.class)
                .hasStackTraceContaining("third");
        assertThat(new Contest<>(tasks, answer -> answer == 2).run()).containsExactly(0, 1, 2);
    }

    @Test
    void anInterruptedCallerGetsItsAnswersAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        List<Integer> answers = new Contest<>(numbers(50), answer -> false).run();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(answers).hasSize(50);
    }

    private static List<Function<BooleanSupplier, Integer>> numbers(int count) {
        List<Function<BooleanSupplier, Integer>> tasks = new ArrayList<>();
        IntStream.range(0, count).forEach(i -> tasks.add(unwanted -> i));
        return tasks;
    }

    private static boolean isDone(CountDownLatch latch) {
        return isDone(latch, 30_000);
    }

    private static boolean isDone(CountDownLatch latch, long millis) {
        try {
            return latch.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
