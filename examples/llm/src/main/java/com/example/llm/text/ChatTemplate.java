package com.example.llm.text;

import com.example.llm.ModelException;
import io.devicearena.weights.WeightFile;
import io.devicearena.weights.tensor.MetadataValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a model wants a message: as a turn of a conversation, with the begin of its own turn behind it. A file says that
 * in a program, a Jinja template, which is not run: what it writes is known by the text that begins the model's turn.
 * A file without a template has the form whose markers its vocabulary has.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> the templates of SmolLM2 and Qwen2 (ChatML) and of Gemma 3, key {@code tokenizer.chat_template}.
 */
public final class ChatTemplate {
    private static final String KEY = "tokenizer.chat_template";

    /** The markers of turns, and the name of the model. */
    private enum Form {
        CHATML("<|im_start|>", "<|im_end|>", "assistant"),
        GEMMA("<start_of_turn>", "<end_of_turn>", "model");

        private final String begin;
        private final String end;
        private final String model;

        Form(String begin, String end, String model) {
            this.begin = begin;
            this.end = end;
            this.model = model;
        }
    }

    /** What a template writes before a conversation that has no message of the system: a turn without variables. */
    private static final Pattern SYSTEM = Pattern.compile("<\\|im_start\\|>(system\n[^{}'\"]*)<\\|im_end\\|>");

    /** A marker such as {@code <|user|>} or {@code [INST]}. */
    private static final Pattern MARKER = Pattern.compile("<[^<>\\s'\"]+>|\\[/?[A-Z_]+]");

    private final Form form;
    private final String template;
    private final Vocabulary vocabulary;

    private ChatTemplate(Form form, String template, Vocabulary vocabulary) {
        this.form = form;
        this.template = template;
        this.vocabulary = vocabulary;
    }

    /**
     * Reads the template of a file.
     *
     * @param file an open GGUF file
     * @param vocabulary of the file
     * @return its template
     * @throws ModelException if it is another one than ChatML or that of Gemma, or if the file has no template, nor
     *     markers of these
     */
    public static ChatTemplate of(WeightFile file, Vocabulary vocabulary) {
        // some are written with line ends, some with escapes
        Optional<String> found = file.metadata(KEY).map(MetadataValue::text).map(text -> text.replace("\\n", "\n"));
        for (Form form : Form.values()) {
            boolean isIt = found.map(text -> text.contains(form.begin + form.model + "\n"))
                    .orElseGet(() -> vocabulary.marker(form.begin) >= 0);
            if (isIt) {
                return new ChatTemplate(form, found.orElse(""), vocabulary);
            }
        }
        String template = found.orElseThrow(() ->
                new ModelException("--chat: expected '" + KEY + "' or markers of turns in the vocabulary, got neither"));
        Matcher marker = MARKER.matcher(template);
        throw new ModelException("--chat: expected a template of ChatML ('<|im_start|>assistant') or of Gemma"
                + " ('<start_of_turn>model'), got one "
                + (marker.find() ? "with '" + marker.group() + "'" : "without markers"));
    }

    /**
     * Puts a message in.
     *
     * @param message of the user
     * @return the prompt
     * @throws ModelException if the markers are no tokens
     */
    public List<Piece> prompt(String message) {
        String content = form == Form.GEMMA || template.contains("| trim") ? message.strip() : message;
        List<Piece> pieces = new ArrayList<>();
        Matcher system = SYSTEM.matcher(template);
        if (system.find()) {
            addTurn(system.group(1), pieces);
        }
        addTurn("user\n" + content, pieces);
        pieces.add(marker(form.begin));
        pieces.add(text(form.model + "\n"));
        return pieces;
    }

    private void addTurn(String text, List<Piece> to) {
        to.add(marker(form.begin));
        to.add(text(text));
        to.add(marker(form.end));
        to.add(text("\n"));
    }

    private static Piece text(String characters) {
        return new Piece.Text(Vocabulary.bytes(characters));
    }

    private Piece marker(String text) {
        int token = vocabulary.marker(text);
        if (token < 0) {
            throw new ModelException("--chat: expected a token '" + text + "', got none in the vocabulary");
        }
        return new Piece.Token(token);
    }
}
