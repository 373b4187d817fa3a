package com.example.embeddings;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.model.output.TokenUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The engine as an embedding model of LangChain4j, on a GPU or on the host.
 *
 * <p>Segments of one call share batches of up to 2,048 tokens, without padding, whatever the length of each.
 *
 * <p><b>Threads:</b> safe for any thread; calls wait for each other.
 *
 * <p><b>Lifetime:</b> until {@link #close}. Containers such as Spring close a bean of this type with the application.
 */
public final class MiniLmEmbeddingModel implements EmbeddingModel, AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Embeddings engine;
    private boolean closed;

    /**
     * Makes a model of an engine.
     *
     * @param engine is used by this model alone from now on, and closed with it
     */
    public MiniLmEmbeddingModel(Embeddings engine) {
        this.engine = engine;
    }

    /**
     * Opens the model on the best device, or on the one that the variable {@code DEVICEARENA_PROVIDER} names.
     *
     * @param folder has the model's {@code model.safetensors} and {@code vocab.txt}
     * @return the model
     * @throws IOException if {@code vocab.txt} cannot be read
     * @throws IllegalArgumentException if the files are those of another model
     */
    public static MiniLmEmbeddingModel open(Path folder) throws IOException {
        return new MiniLmEmbeddingModel(Embeddings.open(folder, Embeddings.defaultOptions(), Precision.F32));
    }

    /**
     * Turns texts into vectors of length 1.
     *
     * @param segments the texts
     * @return for each text in its order a vector, and how many tokens there were
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the model is closed
     */
    @Override
    public Response<List<Embedding>> embedAll(List<TextSegment> segments) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("model: expected an open one, got a closed one; close it last");
            }
            List<int[]> tokens = engine.tokens(segments.stream().map(TextSegment::text).toList());
            List<Embedding> vectors =
                    Arrays.stream(engine.embedTokens(tokens)).map(Embedding::from).toList();
            return Response.from(vectors, new TokenUsage(tokens.stream().mapToInt(text -> text.length).sum()));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int dimension() {
        return Embeddings.WIDTH;
    }

    @Override
    public String modelName() {
        return "all-MiniLM-L6-v2";
    }

    /** Frees the memory of the device, after a call that is under way. A second call does nothing. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            engine.close();
        } finally {
            lock.unlock();
        }
    }
}
