package com.example.llm.text;

/** A part of a prompt. */
public sealed interface Piece {
    /**
     * A text, in which no control token is read.
     *
     * @param bytes its UTF-8, one char for each byte
     */
    record Text(String bytes) implements Piece {}

    /**
     * A token of its own.
     *
     * @param id its number in the vocabulary
     */
    record Token(int id) implements Piece {}
}
