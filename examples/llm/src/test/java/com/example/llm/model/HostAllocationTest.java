package com.example.llm.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.devicearena.ArenaOptions;
import io.devicearena.weights.WeightFile;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What all threads allocate for tokens on the host, when the compiler is done. The build runs it with the Vector API
 * too.
 */
class HostAllocationTest {
    /** So many that the compiler is done, on a busy machine too. */
    private static final int MOST_ATTEMPTS = 2_000;

    /** Threads of the test runner, one of which wakes up ten times a second and allocates. */
    private static final long[] RUNNER = Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("surefire-"))
            .mapToLong(Thread::threadId)
            .toArray();

    @TempDir
    Path folder;

    @ParameterizedTest(name = "temperature {0}, top-k {1}, top-p {2}, type {3}")
    @CsvSource({
        "0, 0, 1, 8", "0, 0, 1, 12", "0, 0, 1, 14", "0.8, 0, 1, 8", "0.8, 0, 0.9, 8", "0.8, 20, 0.9, 8",
        "0.8, 20, 1, 8", "0.8, 500, 0.9, 8"
    })
    void aTokenAllocatesNothing(float temperature, int topK, float topP, int type) throws IOException {
        Sampling sampling = new Sampling(temperature, topK, topP, 7);
        try (WeightFile file = WeightFile.open(new TinyModel(true, type, 3).write(folder));
                Engine engine = new Engine(file, ArenaOptions.defaults().withProvider("cpu"), 64, 8, sampling)) {
            long least = TokenAllocation.least(engine, HostAllocationTest::allocatedByAll, MOST_ATTEMPTS);
            assertEquals(0, least, "bytes for 60 tokens");
        }
    }

    /** What all threads have allocated, those of the test runner left out; both are read at one moment. */
    private static long allocatedByAll(ThreadMXBean threads) {
        while (true) {
            long runner = allocatedByRunner(threads);
            long all = threads.getTotalThreadAllocatedBytes();
            if (allocatedByRunner(threads) == runner) {
                return all - runner;
            }
        }
    }

    private static long allocatedByRunner(ThreadMXBean threads) {
        long bytes = 0;
        for (long id : RUNNER) {
            bytes += threads.getThreadAllocatedBytes(id);
        }
        return bytes;
    }
}
