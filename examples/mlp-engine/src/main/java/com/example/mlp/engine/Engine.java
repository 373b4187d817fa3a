package com.example.mlp.engine;

/** A network that is planned, loaded and ready. Threads: one thread at a time. */
public interface Engine extends AutoCloseable {
    /**
     * Runs the network forward.
     *
     * @param x inputs of the whole batch, one behind the other
     * @param y where the outputs land
     */
    void forward(float[] x, float[] y);

    /** Bytes of device memory that hold the network, f16 forms included. */
    long bytes();

    /** Where it runs. */
    String device();

    @Override
    void close();
}
