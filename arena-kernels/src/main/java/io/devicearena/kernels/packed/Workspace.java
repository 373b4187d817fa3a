package io.devicearena.kernels.packed;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Memory that the products of an engine compute in, one after the other. It grows to what the largest needs; then runs
 * allocate nothing.
 *
 * <p><b>Threads:</b> one thread at a time may make room; then each thread uses what is its own.
 */
public final class Workspace {
    private final TokenColumns columns = new TokenColumns();
    private final List<StagedRow> rows = new ArrayList<>();
    private final List<WorkerMemory> workers = new ArrayList<>();

    /**
     * Makes room.
     *
     * @param tokens rows to stage at a time
     */
    public void require(int tokens) {
        while (rows.size() < tokens) {
            rows.add(new StagedRow());
        }
    }

    /** {@return rows of many tokens} */
    public TokenColumns columns() {
        return columns;
    }

    /**
     * Returns the staged row of a token.
     *
     * @param token 0 or more, below the tokens that there is room for
     * @return the same at each call
     */
    public StagedRow row(int token) {
        return rows.get(token);
    }

    /**
     * Makes room for threads.
     *
     * @param threads that compute
     * @return gives the memory of another thread at each call
     */
    public Supplier<WorkerMemory> workers(int threads) {
        while (workers.size() < threads) {
            workers.add(new WorkerMemory());
        }
        return List.copyOf(workers).iterator()::next;
    }
}
