package com.example.embeddings;

/**
 * How the matrices of the model are multiplied.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum Precision {
    /** With the floats of the file. */
    F32,
    /** With the nearest f16 of each, which a GPU reads from the shadow of the arena. Sums stay f32. */
    F16
}
