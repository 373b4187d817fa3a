package io.devicearena.weights.internal.safetensors;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.devicearena.weights.file.MappedFile;
import io.devicearena.weights.file.TensorSizes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** JSON of files that are not trusted: no key twice, few levels, and faults with the place in the file. */
final class StrictJson {
    /** An object of tensors, a tensor, its shape: three levels. What else a file adds may have a few more. */
    private static final int DEEPEST = 16;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxNameLength(TensorSizes.LONGEST_NAME)
                    .build())
            .build();

    /** Reads an object, from behind its opening brace to its closing one. */
    @FunctionalInterface
    interface ObjectReader {
        void read(JsonParser json) throws IOException;
    }

    private StrictJson() {}

    /** Reads one object and nothing else; {@code start} is where the text begins in the file. */
    static void read(MappedFile file, long start, byte[] text, ObjectReader reader) {
        try (JsonParser json = FACTORY.createParser(text)) {
            expect(json.nextToken(), JsonToken.START_OBJECT, "the header");
            reader.read(json);
            if (json.nextToken() != null) {
                throw new JsonFault("expected nothing behind the object, got " + json.currentToken());
            }
        } catch (JsonFault e) {
            throw file.fault(start, e.problem);
        } catch (JsonProcessingException e) {
            long place =
                    e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getByteOffset());
            throw file.fault(start + place, "expected JSON with each key once, got: " + firstLine(e));
        } catch (IOException e) { // the parser takes other encodings too, which fail here
            throw file.fault(start, "expected JSON in UTF-8, got: " + e.getMessage());
        }
    }

    private static String firstLine(JsonProcessingException e) {
        // a limit comes with the name of the parser's method, which says nothing about the file
        return TensorSizes.escaped(
                e.getOriginalMessage().lines().findFirst().orElse("a fault").replaceAll(", from `[^`]*`", ""));
    }

    static void expect(JsonToken found, JsonToken wanted, String subject) throws IOException {
        if (found != wanted) {
            throw new JsonFault(TensorSizes.escaped(subject) + ": expected " + wanted + ", got " + found);
        }
    }

    /** Reads an array of whole numbers of 0 or more. */
    static List<Long> longs(JsonParser json, String subject) throws IOException {
        expect(json.currentToken(), JsonToken.START_ARRAY, subject);
        List<Long> longs = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            expect(json.currentToken(), JsonToken.VALUE_NUMBER_INT, subject);
            if (json.getLongValue() < 0 || longs.size() == TensorSizes.MOST_DIMENSIONS) {
                throw new JsonFault(subject + ": expected at most " + TensorSizes.MOST_DIMENSIONS
                        + " numbers of 0 or more, got " + json.getLongValue() + " at position " + longs.size());
            }
            longs.add(json.getLongValue());
        }
        return longs;
    }

    /** What the JSON says is not what the format asks for. */
    private static final class JsonFault extends IOException {
        private static final long serialVersionUID = 1L;

        private final String problem;

        JsonFault(String problem) {
            super(problem);
            this.problem = problem;
        }
    }
}
