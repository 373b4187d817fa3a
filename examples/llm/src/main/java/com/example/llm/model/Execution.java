package com.example.llm.model;

/** Runs the steps of both graphs, on the host or on a device. */
interface Execution extends AutoCloseable {
    /** How many decode steps are begun before the token of the first is taken: the slots are 0 to this. */
    int ahead();

    /**
     * Runs the prefill steps and waits.
     *
     * @param tokens the sequence
     * @param from the first token of the run
     * @param start where the run is
     * @return the chosen token
     */
    int prefill(int[] tokens, int from, Cursor start);

    /** Begins a decode step; its token comes to a slot. */
    void begin(int slot);

    /** Waits for the step of a slot, and returns its token. */
    int token(int slot);

    /** Sets the cursor, when all steps that were begun are done. */
    void set(Cursor cursor);

    /** The logits of the last prefill run, or of the last decode step. */
    float[] logits(boolean ofPrefill);

    @Override
    void close();
}
