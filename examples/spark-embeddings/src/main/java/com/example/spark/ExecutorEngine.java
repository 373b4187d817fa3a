package com.example.spark;

import com.example.embeddings.Embeddings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine of a process: one arena for all tasks of an executor. It is opened by the first task that needs it, which
 * reads the weights, and closed by {@link ArenaPlugin} when the executor ends.
 *
 * <p>Tasks take turns: a batch of one uses all cores, or the GPU, by itself.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
final class ExecutorEngine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorEngine.class);

    private static ExecutorEngine current;

    private final EngineSettings settings;
    private Embeddings engine;
    private boolean closed;
    private long texts;
    private long nanos;

    private ExecutorEngine(EngineSettings settings) {
        this.settings = settings;
    }

    /** Makes the engine of this process, which opens nothing yet. */
    static synchronized ExecutorEngine start(EngineSettings settings) {
        current = new ExecutorEngine(settings);
        return current;
    }

    /** Returns the engine of this process. */
    static synchronized ExecutorEngine current() {
        if (current == null) {
            throw new IllegalStateException("spark.plugins: expected " + ArenaPlugin.class.getName()
                    + " among them, got none: it opens the arena of an executor");
        }
        return current;
    }

    /** Turns texts into vectors, in their order. */
    synchronized float[][] embed(List<String> some) {
        if (closed) {
            throw new IllegalStateException("the executor has ended: its arena is closed");
        }
        if (engine == null) {
            engine = open();
        }
        long begin = System.nanoTime();
        float[][] vectors = engine.embed(some);
        nanos += System.nanoTime() - begin;
        texts += some.size();
        return vectors;
    }

    private Embeddings open() {
        long begin = System.nanoTime();
        try {
            Embeddings opened = Embeddings.open(settings.model(), settings.options(), settings.precision());
            LOG.info(
                    "arena opened: {} bytes on {}, {} ms with its weights",
                    opened.bytes(),
                    opened.device(),
                    (System.nanoTime() - begin) / 1_000_000);
            return opened;
        } catch (IOException e) {
            throw new UncheckedIOException(settings.model() + ": cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (engine != null) {
            engine.close();
            engine = null;
            LOG.info("arena closed: {} texts, {} texts/s", texts, Math.round(texts / (nanos * 1e-9)));
        }
    }
}
