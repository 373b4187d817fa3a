package io.devicearena.kernels.step;

import io.devicearena.kernels.HostValues;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;

/**
 * Deals the tasks of a step out to the threads of the host: to each a range, in the order of the threads, then what
 * others have not begun. So a thread finds near what it wrote in the step before: to fetch a line of the cache of
 * another processor takes as long as a hundred additions. Each thread has memory of its own, which is made once: a run
 * allocates nothing.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * @param <M> the memory of a thread
 */
public final class WorkerTasks<M> {
    private final HostValues host;
    private final ObjIntConsumer<M> body;
    private final List<M> memories = new ArrayList<>();
    private final List<AtomicInteger> next = new ArrayList<>(); // of the range of each thread
    private final IntConsumer work = this::work;
    private int tasks;

    /**
     * Makes the memory of each thread.
     *
     * @param host whose threads do the tasks
     * @param memory makes that of one thread
     * @param body does a task, by its number, with the memory of its thread, which holds anything; tasks are done at
     *     the same time
     */
    public WorkerTasks(HostValues host, Supplier<M> memory, ObjIntConsumer<M> body) {
        this.host = host;
        this.body = body;
        for (int i = 0; i < host.threads(); i++) {
            memories.add(memory.get());
            next.add(new AtomicInteger());
        }
    }

    /**
     * Does tasks, and returns when all are done.
     *
     * @param count of tasks, 0 or more
     * @throws RuntimeException the first that a task throws
     */
    public void run(int count) {
        tasks = count;
        for (int i = 0; i < next.size(); i++) {
            next.get(i).set(begin(i));
        }
        host.parallel(Math.min(count, memories.size()), work);
    }

    private int begin(int range) {
        return (int) ((long) tasks * range / next.size());
    }

    private void work(int worker) {
        M memory = memories.get(worker);
        for (int i = 0; i < next.size(); i++) {
            int range = (worker + i) % next.size();
            int end = begin(range + 1);
            AtomicInteger of = next.get(range);
            for (int task = of.getAndIncrement(); task < end; task = of.getAndIncrement()) {
                body.accept(memory, task);
            }
        }
    }
}
