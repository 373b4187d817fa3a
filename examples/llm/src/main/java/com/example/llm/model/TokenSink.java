package com.example.llm.model;

/** Receives tokens as they are chosen. */
@FunctionalInterface
public interface TokenSink {
    /**
     * Receives a token.
     *
     * @param token the next one
     * @return whether more are wanted
     */
    boolean accept(int token);
}
