package com.example.llm.text;

import java.util.List;

/** What differs between the kinds of BPE: where symbols may merge, in which order, and what a token stands for. */
interface TokenModel {
    /**
     * Cuts a text into words. Symbols merge within a word only.
     *
     * @param text one char for each byte
     * @param isFirst whether the text begins the prompt or follows a token that is cut out first
     */
    List<String> words(String text, boolean isFirst);

    /** Whether a word that is a token is that token, however its parts would merge. */
    boolean takesWholeWords();

    /** {@return the bytes of the symbol that begins with a byte, before any merge} */
    int symbolBytes(int first);

    /** {@return how early two neighbours merge, the largest first; NaN if they do not} */
    float rank(String left, String right);

    /** Adds the tokens of a symbol that is no token itself. */
    void addUnknown(String symbol, TokenList tokens);

    /** {@return what a normal token adds to a text, one char for each byte} */
    String shown(String token);
}
