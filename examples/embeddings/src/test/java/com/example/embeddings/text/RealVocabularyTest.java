package com.example.embeddings.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import com.example.embeddings.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Many random texts against the library tokenizers; tools/golden.py says how. */
class RealVocabularyTest {
    @Test
    void tokens_ofRandomTexts_areThoseOfTheLibrary() throws IOException {
        String file = System.getenv("EMBEDDINGS_TOKENS");
        Assumptions.assumeTrue(file != null, "NOT TESTED: EMBEDDINGS_TOKENS names no file of tools/golden.py");
        WordPieces pieces = WordPieces.read(Golden.model().resolve("vocab.txt"));
        for (String line : Files.readAllLines(Path.of(file))) {
            Golden golden = Golden.parse(line);
            assertArrayEquals(golden.tokens(), pieces.tokens(golden.text(), 256), golden.text());
        }
    }
}
