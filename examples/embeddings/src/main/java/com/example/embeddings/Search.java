package com.example.embeddings;

import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.store.embedding.EmbeddingMatch;
import dev.langchain4j.store.embedding.EmbeddingSearchRequest;
import dev.langchain4j.store.embedding.inmemory.InMemoryEmbeddingStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Finds the paragraphs of a text that answer a question, with LangChain4j and its store in memory. */
public final class Search {
    private static final int FOUND = 3;

    private Search() {}

    /**
     * Prints the paragraphs that are nearest to a question, the nearest first.
     *
     * @param args the folder of the model, a text file, and the question
     * @throws IOException if a file cannot be read
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 3) {
            System.err.println("search: expected FOLDER FILE QUESTION, got " + args.length + " arguments");
            System.exit(2);
        }
        List<String> paragraphs = Arrays.stream(Files.readString(Path.of(args[1])).split("\\R\\s*\\R"))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .toList();
        try (MiniLmEmbeddingModel model = MiniLmEmbeddingModel.open(Path.of(args[0]))) {
            for (EmbeddingMatch<TextSegment> match : nearest(model, paragraphs, args[2])) {
                System.out.printf(Locale.ROOT, "%.4f  %s%n", match.score(), match.embedded().text());
            }
        }
    }

    /** The texts that are nearest to a question, the nearest first. */
    static List<EmbeddingMatch<TextSegment>> nearest(EmbeddingModel model, List<String> texts, String question) {
        List<TextSegment> segments = texts.stream().map(TextSegment::from).toList();
        InMemoryEmbeddingStore<TextSegment> store = new InMemoryEmbeddingStore<>();
        store.addAll(model.embedAll(segments).content(), segments);
        return store.search(EmbeddingSearchRequest.builder()
                        .queryEmbedding(model.embed(question).content())
                        .maxResults(FOUND)
                        .build())
                .matches();
    }
}
