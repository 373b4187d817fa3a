package io.devicearena.kernels.packed;

import java.util.Arrays;

/**
 * Memory that the products of an engine compute in, one after the other. It grows to what the largest needs; then runs
 * allocate nothing.
 *
 * <p><b>Threads:</b> one thread at a time may make room; then each thread uses what is its own.
 */
public final class Workspace {
    private final TokenColumns columns = new TokenColumns();
    private StagedRow[] rows = {};
    private WorkerMemory[] workers = {};

    /**
     * Makes room.
     *
     * @param tokens rows to stage at a time
     * @param threads that compute
     */
    public void require(int tokens, int threads) {
        if (rows.length < tokens) {
            int had = rows.length;
            rows = Arrays.copyOf(rows, tokens);
            for (int i = had; i < tokens; i++) {
                rows[i] = new StagedRow();
            }
        }
        if (workers.length < threads) {
            int had = workers.length;
            workers = Arrays.copyOf(workers, threads);
            for (int i = had; i < threads; i++) {
                workers[i] = new WorkerMemory();
            }
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
        return rows[token];
    }

    /**
     * Returns the memory of a thread.
     *
     * @param index 0 or more, below the threads that there is room for
     * @return the same at each call
     */
    public WorkerMemory worker(int index) {
        return workers[index];
    }
}
