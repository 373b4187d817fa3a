package com.example.embeddings.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Words, pieces and marks, with a vocabulary of a few tokens. */
class WordPiecesTest {
    private static final WordPieces PIECES =
            WordPieces.of("[PAD]", "[UNK]", "[CLS]", "[SEP]", "play", "##ing", "##ed", ".", "cafe", "中", "re", "-");

    private static void assertTokens(String text, int... tokens) {
        int[] all = new int[tokens.length + 2];
        System.arraycopy(tokens, 0, all, 1, tokens.length);
        all[0] = 2;
        all[all.length - 1] = 3;
        assertArrayEquals(all, PIECES.tokens(text, 256), text);
    }

    @Test
    void word_isCutIntoTheLongestPieces() {
        assertTokens("playing played play", 4, 5, 4, 6, 4);
    }

    @Test
    void word_withAPieceThatIsNotKnown_isUnknownAsAWhole() {
        assertTokens("playable playing", 1, 4, 5);
        assertTokens("play".repeat(26), 1);
    }

    @Test
    void marksAndIdeographs_areWordsOfTheirOwn() {
        assertTokens("re-play.中play", 10, 11, 4, 7, 9, 4);
    }

    @Test
    void accentsAndCase_areLeftOut() {
        assertTokens("CAFÉ Cafe\u0301 caf\u00e9", 8, 8, 8);
    }

    @Test
    void controls_areDropped_andSpacesOfAllKindsDivide() {
        assertTokens("pl\u0000ay\u200d\u00a0play\u3000play\nplay", 4, 4, 4, 4);
    }

    @Test
    void longText_isCut_andStillEnded() {
        assertArrayEquals(new int[] {2, 4, 3}, PIECES.tokens("playing play", 3));
        assertArrayEquals(new int[] {2, 3}, PIECES.tokens("playing", 2));
        assertThrows(IllegalArgumentException.class, () -> PIECES.tokens("", 1));
    }

    @Test
    void vocabulary_withoutSpecialTokens_isRefused() {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> WordPieces.of("a", "[UNK]"));
        assertEquals(
                "vocabulary: expected the token [CLS], got 2 tokens without it; take the vocab.txt of the model",
                refused.getMessage());
    }
}
