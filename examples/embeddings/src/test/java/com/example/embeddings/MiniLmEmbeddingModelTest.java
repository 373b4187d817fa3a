package com.example.embeddings;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.output.Response;
import io.devicearena.ArenaOptions;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The engine behind the interface of LangChain4j. */
class MiniLmEmbeddingModelTest {
    private static final ArenaOptions CPU = ArenaOptions.defaults().withProvider("cpu");

    private static MiniLmEmbeddingModel real() throws IOException {
        return new MiniLmEmbeddingModel(Embeddings.open(Golden.model(), CPU, Precision.F32));
    }

    @Test
    void embedAll_countsTokens_andClosesOnce() {
        MiniLmEmbeddingModel model = new MiniLmEmbeddingModel(Embeddings.withoutWeights(CPU, Precision.F32));
        Response<List<Embedding>> response =
                model.embedAll(List.of(TextSegment.from("one two"), TextSegment.from("three")));
        assertEquals(2, response.content().size());
        assertEquals(7, response.tokenUsage().inputTokenCount()); // with the first and the last of each text
        assertEquals(List.of(), model.embedAll(List.of()).content());
        assertEquals(Embeddings.WIDTH, model.dimension());
        assertEquals("all-MiniLM-L6-v2", model.modelName());
        model.close();
        model.close();
        assertEquals(
                "model: expected an open one, got a closed one; close it last",
                assertThrows(IllegalStateException.class, () -> model.embed("one"))
                        .getMessage());
    }

    @Test
    void aQuestion_findsTheParagraphThatAnswersIt() throws IOException {
        List<String> texts = List.of(
                "Bread is baked from a dough of flour and water.",
                "A new passport is issued by the citizens' office within four weeks.",
                "The river floods its banks each spring, when the snow melts.",
                "Trains to the airport leave every twenty minutes.");
        try (MiniLmEmbeddingModel model = real()) {
            assertEquals(
                    texts.get(1),
                    Search.nearest(model, texts, "How do I renew my travel document?").getFirst().embedded().text());
            assertEquals(
                    texts.get(3),
                    Search.nearest(model, texts, "How can I reach my plane?").getFirst().embedded().text());
        }
    }

    @Test
    void threadsThatShareAModel_getTheVectorsThatOneGets() throws Exception {
        List<Golden> all = Golden.all().stream()
                .filter(golden -> !golden.text().isBlank()) // LangChain4j has no segment without text
                .limit(6)
                .toList();
        try (MiniLmEmbeddingModel model = real();
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Callable<float[]>> calls = all.stream()
                    .<Callable<float[]>>map(golden -> () -> model.embed(golden.text()).content().vector())
                    .toList();
            List<Future<float[]>> vectors = threads.invokeAll(calls);
            for (int i : IntStream.range(0, all.size()).toArray()) {
                assertArrayEquals(calls.get(i).call(), vectors.get(i).get(), "text " + i);
            }
        }
    }
}
