package io.devicearena.plan.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Does tasks side by side on the calling thread and on one of the common pool, and gives the same answers as one thread would:
 * those up to the first that is enough.
 *
 * <p>The caller never waits for a task that is not begun: where the pool is busy it does all of them. A task behind the first that
 * is enough may still be under way when the caller goes on; it is told that its answer is not wanted any more. Threads: one call at a time.
 *
 * @param <T> what a task answers
 */
final class Contest<T> {
    private final List<ForkJoinTask<T>> tasks;
    private final Predicate<T> isEnough;
    private final AtomicInteger begun = new AtomicInteger();
    /** The place of the first task known to be enough, or their number: none behind it is begun any more. */
    private final AtomicInteger last;

    /**
     * Prepares.
     *
     * @param tasks the tasks, none of which depends on another; each may ask at any time whether its answer is not wanted any more,
     *     and then give any other one
     * @param isEnough tells of an answer whether those behind it are not wanted
     */
    Contest(List<? extends Function<BooleanSupplier, T>> tasks, Predicate<T> isEnough) {
        this.tasks = IntStream.range(0, tasks.size())
                .<ForkJoinTask<T>>mapToObj(
                        at -> ForkJoinTask.adapt(() -> tasks.get(at).apply(() -> isUnwanted(at))))
                .toList();
        this.isEnough = isEnough;
        this.last = new AtomicInteger(tasks.size());
    }

    /** The answers in the order of the tasks; what a task throws reaches the caller. */
    List<T> run() {
        // A pool of no threads would keep what it is given forever.
        if (tasks.size() > 1 && ForkJoinPool.getCommonPoolParallelism() > 0) {
            ForkJoinPool.commonPool().execute(this::doTasks);
        }
        doTasks();
        List<T> answers = new ArrayList<>();
        for (ForkJoinTask<T> task : tasks) {
            T answer = task.join();
            answers.add(answer);
            if (isEnough.test(answer)) {
                break;
            }
        }
        return answers;
    }

    private boolean isUnwanted(int at) {
        return at > last.get();
    }

    private void doTasks() {
        for (int at = begun.getAndIncrement(); at < last.get(); at = begun.getAndIncrement()) {
            ForkJoinTask<T> task = tasks.get(at);
            task.quietlyInvoke();
            if (task.isCompletedAbnormally() || isEnough.test(task.getRawResult())) {
                last.accumulateAndGet(at, Math::min);
            }
        }
    }
}
