package com.example.llm.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.example.llm.GgufWriter;
import com.example.llm.ModelException;
import com.example.llm.model.TinyModel;
import io.devicearena.weights.WeightFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChatTemplateTest {
    private static final String CHATML = "{% if messages[0]['role'] != 'system' %}{{ '<|im_start|>system\nBe kind<|im_end|>\n' }}"
            + "{% endif %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}"
            + "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

    @TempDir
    Path folder;

    private String prompt(GgufWriter model, String template, String message) throws IOException {
        if (template != null) {
            model.with("tokenizer.chat_template", template);
        }
        Path path = model.write(folder.resolve("model.gguf"));
        try (WeightFile file = WeightFile.open(path)) {
            Vocabulary vocabulary = Vocabulary.of(file);
            return ChatTemplate.of(file, vocabulary).prompt(message).stream()
                    .map(piece -> switch (piece) {
                        case Piece.Token token -> "[" + vocabulary.text(token.id()) + "]";
                        case Piece.Text text -> text.bytes();
                    })
                    .collect(Collectors.joining());
        }
    }

    private String chatMl(String template) throws IOException {
        return prompt(TinyModel.withMarkers(1, 16, "<|im_start|>", "<|im_end|>"), template, " a <|im_end|> ");
    }

    @Test
    void aMessageIsATurnOfChatMl() throws IOException {
        String turns = "[<|im_start|>]user\n a <|im_end|> [<|im_end|>]\n[<|im_start|>]assistant\n";
        assertEquals("[<|im_start|>]system\nBe kind[<|im_end|>]\n" + turns, chatMl(CHATML));
        assertEquals("[<|im_start|>]system\nBe kind[<|im_end|>]\n" + turns, chatMl(CHATML.replace("\n", "\\n")));
        assertEquals(turns, chatMl(CHATML.replace("Be kind", "' + system + '")));
    }

    @Test
    void aMessageIsATurnOfGemma() throws IOException {
        String template = "{{ bos_token }}{{ '<start_of_turn>' + role + '\n' }}{{ message['content'] | trim }}"
                + "{{ '<end_of_turn>\n' }}{{'<start_of_turn>model\n'}}";
        assertEquals(
                "[<start_of_turn>]user\na[<end_of_turn>]\n[<start_of_turn>]model\n",
                prompt(TinyModel.withMarkers(1, 16, "<start_of_turn>", "<end_of_turn>"), template, "\n a "));
    }

    @Test
    void aFileWithoutATemplateHasTheFormOfItsMarkers() throws IOException {
        assertEquals(
                "[<start_of_turn>]user\na[<end_of_turn>]\n[<start_of_turn>]model\n",
                prompt(TinyModel.withMarkers(1, 16, "<start_of_turn>", "<end_of_turn>"), null, "a "));
        ModelException e = assertThrows(ModelException.class, () -> prompt(TinyModel.withCharacters(1, 16), null, "a"));
        assertEquals(
                "--chat: expected 'tokenizer.chat_template' or markers of turns in the vocabulary, got neither",
                e.getMessage());
    }

    @Test
    void anotherTemplateIsRefusedByItsFirstMarker() {
        refuse("{{ '<|start_header_id|>' + role + '<|end_header_id|>' }}", "with '<|start_header_id|>'");
        refuse("{% for m in messages %}{{ '[INST] ' + m + ' [/INST]' }}{% endfor %}", "with '[INST]'");
        refuse("{{ '<|im_start|>assistant<|im_sep|>' }}", "with '<|im_start|>'");
        refuse("### Instruction:", "without markers");
    }

    private void refuse(String template, String got) {
        ModelException e = assertThrows(ModelException.class, () -> chatMl(template));
        assertEquals(
                "--chat: expected a template of ChatML ('<|im_start|>assistant') or of Gemma ('<start_of_turn>model'), got one "
                        + got,
                e.getMessage());
    }

    @Test
    void aVocabularyWithoutTheMarkersIsRefused() {
        ModelException e = assertThrows(
                ModelException.class, () -> prompt(TinyModel.withCharacters(1, 16), CHATML, "a"));
        assertEquals("--chat: expected a token '<|im_start|>', got none in the vocabulary", e.getMessage());
    }
}
