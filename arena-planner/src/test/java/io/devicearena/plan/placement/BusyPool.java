package io.devicearena.plan.placement;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;

/** Leaves no thread of the common pool free. */
final class BusyPool {
    private BusyPool() {}

    /** The answer of a task during which all threads of the common pool are busy. */
    static <T> T during(Supplier<T> task) {
        int threads = ForkJoinPool.getCommonPoolParallelism();
        CountDownLatch busy = new CountDownLatch(threads);
        CountDownLatch release = new CountDownLatch(1);
        for (int i = 0; i < threads; i++) {
            ForkJoinPool.commonPool().execute(() -> {
                busy.countDown();
                await(release);
            });
        }
        try {
            await(busy);
            return task.get();
        } finally {
            release.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
