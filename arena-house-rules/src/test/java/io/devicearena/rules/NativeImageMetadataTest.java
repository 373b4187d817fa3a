package io.devicearena.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The metadata that native images read from our jars keep the rules of their schema, and name all resources.
 *
 * <p><b>Source:</b> GraalVM, Native Image, Reachability Metadata, schema 1.2.0; the grammar of memory layouts is that
 * of its page on the Foreign Function and Memory API.
 */
class NativeImageMetadataTest {
    private static final String RESOURCES = "src/main/resources";
    private static final String FILE = "reachability-metadata.json";

    private static final Pattern LAYOUT = Pattern.compile(
            "void\\*|j(?:boolean|char|byte|short|int|long|float|double)|padding\\(\\d+\\)|struct\\(.+\\)");

    /** The keys that each object may have. */
    private static final Map<String, Set<String>> KEYS = Map.of(
            "", Set.of("reflection", "resources", "foreign"),
            "reflection", Set.of("type", "allPublicMethods", "allDeclaredMethods"),
            "resources", Set.of("module", "glob"),
            "foreign", Set.of("downcalls", "upcalls", "directUpcalls"),
            "downcalls", Set.of("returnType", "parameterTypes"),
            "upcalls", Set.of("returnType", "parameterTypes"),
            "directUpcalls", Set.of("class", "method", "returnType", "parameterTypes"));

    /** The keys that each object must have. */
    private static final Map<String, Set<String>> NEEDED = Map.of(
            "reflection", Set.of("type"),
            "resources", Set.of("glob"),
            "downcalls", Set.of("returnType", "parameterTypes"),
            "upcalls", Set.of("returnType", "parameterTypes"),
            "directUpcalls", Set.of("class", "method", "returnType", "parameterTypes"));

    private final List<String> faults = new ArrayList<>();

    @Test
    void metadata_itsEntries_keepTheRulesOfTheSchema() throws IOException {
        List<Path> files = files();
        assertThat(files).hasSizeGreaterThanOrEqualTo(3);
        for (Path file : files) {
            object("", read(file), file);
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void metadata_itsFolder_isNamedByItsModule() throws IOException {
        assertThat(files())
                .allSatisfy(file -> assertThat(file.getParent().getFileName())
                        .isEqualTo(Repository.ROOT.relativize(file).getName(0)));
    }

    @Test
    void module_thatIsPublishedWithResources_hasMetadata() throws IOException {
        List<String> named = files().stream()
                .map(file -> Repository.ROOT.relativize(file).getName(0).toString())
                .toList();
        List<String> modules = new ArrayList<>();
        try (Stream<Path> all = Files.list(Repository.ROOT)) {
            for (Path module : all.filter(NativeImageMetadataTest::hasResources).toList()) {
                if (!Files.readString(module.resolve("pom.xml")).contains("<maven.deploy.skip>true<")) {
                    modules.add(module.getFileName().toString());
                }
            }
        }
        assertThat(named).containsAll(modules);
        assertThat(modules).isNotEmpty();
    }

    /** Whether a module has resources other than the entries of services. */
    private static boolean hasResources(Path module) {
        try (Stream<Path> all = Files.walk(module.resolve(RESOURCES))) {
            return all.anyMatch(file -> Files.isRegularFile(file)
                    && !module.resolve(RESOURCES).relativize(file).startsWith("META-INF"));
        } catch (NoSuchFileException e) {
            return false; // a module without resources, or no module
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void resources_thatClassesRead_areInTheMetadata() throws IOException {
        for (Path file : files()) {
            Path module =
                    Repository.ROOT.resolve(Repository.ROOT.relativize(file).getName(0));
            if (!(read(file).get("resources") instanceof List<?> globs)) {
                throw new AssertionError(file + ": expected resources, found none");
            }
            Path resources = module.resolve(RESOURCES);
            try (Stream<Path> all = Files.walk(resources)) {
                for (Path resource : all.filter(Files::isRegularFile).toList()) {
                    Path name = resources.relativize(resource);
                    if (!name.startsWith("META-INF") && globs.stream().noneMatch(glob -> matches(glob, name))) {
                        faults.add(module + ": expected metadata that names the resource " + name + ", found none");
                    }
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    private static boolean matches(Object entry, Path name) {
        return entry instanceof Map<?, ?> keys
                && FileSystems.getDefault()
                        .getPathMatcher("glob:" + keys.get("glob"))
                        .matches(name);
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> modules = Files.list(Repository.ROOT)) {
            return modules.map(module -> module.resolve(RESOURCES)
                            .resolve("META-INF/native-image/io.devicearena")
                            .resolve(module.getFileName())
                            .resolve(FILE))
                    .filter(Files::exists)
                    .sorted()
                    .toList();
        }
    }

    private void object(String kind, Map<String, Object> keys, Path file) {
        keys.keySet().stream()
                .filter(key -> !KEYS.getOrDefault(kind, Set.of()).contains(key))
                .forEach(key -> faults.add(file + ": '" + key + "' is not a key of '" + kind + "'"));
        NEEDED.getOrDefault(kind, Set.of()).stream()
                .filter(key -> !keys.containsKey(key))
                .forEach(key -> faults.add(file + ": expected the key '" + key + "' of '" + kind + "', found none"));
        keys.forEach((key, value) -> value(key, value, file));
    }

    private void value(String key, Object value, Path file) {
        switch (value) {
            case Map<?, ?> keys -> object(key, checked(keys), file);
            case List<?> entries when key.equals("parameterTypes") -> entries.forEach(entry -> layout(entry, file));
            case List<?> entries ->
                entries.forEach(entry -> {
                    if (entry instanceof Map<?, ?> keys) {
                        object(key, checked(keys), file);
                    } else {
                        faults.add(file + ": expected an object in '" + key + "', got " + entry);
                    }
                });
            case String text when key.equals("returnType") && !text.equals("void") -> layout(text, file);
            case String text -> {
                if (text.isBlank()) {
                    faults.add(file + ": expected a text for '" + key + "', got none");
                }
            }
            case Boolean on -> {
                if (!key.startsWith("all")) {
                    faults.add(file + ": expected no boolean for '" + key + "', got " + on);
                }
            }
            default -> faults.add(file + ": '" + key + "': " + value + " is of no type that the schema has");
        }
    }

    private void layout(Object value, Path file) {
        if (!(value instanceof String text) || !LAYOUT.matcher(text).matches()) {
            faults.add(file + ": expected a memory layout, got " + value);
        } else if (text.startsWith("struct(")) {
            members(text.substring("struct(".length(), text.length() - 1)).forEach(member -> layout(member, file));
        }
    }

    /** Splits at the commas that are in no brackets. */
    private static List<String> members(String text) {
        List<String> members = new ArrayList<>();
        int depth = 0;
        int begin = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ',' && depth == 0) {
                members.add(text.substring(begin, i).strip());
                begin = i + 1;
            }
        }
        members.add(text.substring(begin).strip());
        return members;
    }

    @SuppressWarnings("unchecked") // the reader below makes maps with texts as keys only
    private static Map<String, Object> checked(Map<?, ?> keys) {
        return (Map<String, Object>) keys;
    }

    private static Map<String, Object> read(Path file) throws IOException {
        try (JsonParser parser = new JsonFactory()
                .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                .createParser(Files.readString(file))) {
            parser.nextToken();
            Object whole = value(parser);
            assertThat(parser.nextToken()).as(file + ": nothing follows").isNull();
            assertThat(whole).isInstanceOf(Map.class);
            return checked((Map<?, ?>) whole);
        }
    }

    private static Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> keys = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String key = parser.currentName();
                    parser.nextToken();
                    keys.put(key, value(parser));
                }
                yield keys;
            }
            case START_ARRAY -> {
                List<Object> entries = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    entries.add(value(parser));
                }
                yield entries;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw new AssertionError("a " + parser.currentToken() + " is of no type that the schema has");
        };
    }
}
