package io.devicearena.rules;

import io.devicearena.rules.Repository.TextFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The list {@code config/banned-words.txt}, which says how its lines read, and a search for its words. */
record BannedWords(List<Entry> entries, List<String> skippedPaths) {
    private static final String NAMES = "names";
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_$][\\w$]*");
    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|_+");
    private static final Pattern LINE_COMMENT = Pattern.compile("^[ \\t]*(?:#|//|\\*)", Pattern.MULTILINE);

    /**
     * Words that are banned together, and of each the longest part. No path means every file; {@code inNames} bans them
     * in Java identifiers too.
     */
    record Entry(
            List<String> words,
            List<String> longest,
            String instead,
            List<String> paths,
            boolean inNames,
            Pattern pattern) {
        boolean appliesTo(String path) {
            return paths.isEmpty() || paths.stream().anyMatch(path::startsWith);
        }

        /** False where a search would find nothing, at a small part of its time: of each phrase its longest word. */
        boolean mayBeIn(String lowerCase) {
            return longest.stream().anyMatch(lowerCase::contains);
        }
    }

    /** A banned word in a file. */
    record Hit(String path, int line, String word, String instead) {
        @Override
        public String toString() {
            return path + ":" + line + ": '" + word + "'; write: " + instead;
        }
    }

    static BannedWords parse(String list) {
        List<Entry> entries = new ArrayList<>();
        Map<String, List<String>> groups = new HashMap<>();
        for (String line : list.lines().toList()) {
            if (line.startsWith("@")) {
                String[] group = line.substring(1).split("=", 2);
                groups.put(group[0].strip(), List.of(group[1].strip().split(" +")));
            } else if (!line.isBlank() && !line.startsWith("#")) {
                entries.add(entry(line.split("\\|"), groups));
            }
        }
        return new BannedWords(entries, groups.getOrDefault("skipped", List.of()));
    }

    private static Entry entry(String[] columns, Map<String, List<String>> groups) {
        List<String> words =
                Arrays.stream(columns[0].split(",")).map(String::strip).toList();
        List<String> where = columns.length < 3
                ? List.of()
                : Arrays.stream(columns[2].strip().split(" +"))
                        .flatMap(token -> groups.getOrDefault(token, List.of(token)).stream())
                        .toList();
        String alternatives = words.stream()
                .map(word -> word.replace(" ", "\\s+"))
                .collect(Collectors.joining("|", "\\b(?:", ")\\b"));
        List<String> longest = words.stream()
                .map(phrase -> Arrays.stream(phrase.split(" "))
                        .max(Comparator.comparingInt(String::length))
                        .orElseThrow())
                .toList();
        return new Entry(
                words,
                longest,
                columns[1].strip(),
                where.stream().filter(token -> !token.equals(NAMES)).toList(),
                where.contains(NAMES),
                Pattern.compile(alternatives, Pattern.CASE_INSENSITIVE));
    }

    /**
     * Finds every banned word of a file: in all of its text, or, of Java, in comments, literals and some of the names.
     */
    List<Hit> in(TextFile file) {
        if (skippedPaths.stream().anyMatch(file.path()::startsWith)) {
            return List.of();
        }
        List<Entry> applying =
                entries.stream().filter(entry -> entry.appliesTo(file.path())).toList();
        if (!file.isJava()) {
            return prose(file, blankLineComments(file.text()), applying).toList();
        }
        JavaSource source = JavaSource.of(file.text());
        return Stream.concat(prose(file, source.prose(), applying), names(file, source.code(), applying))
                .toList();
    }

    private static Stream<Hit> prose(TextFile file, String prose, List<Entry> entries) {
        String lowerCase = prose.toLowerCase(Locale.ROOT);
        return entries.stream()
                .filter(entry -> entry.mayBeIn(lowerCase))
                .flatMap(entry -> entry.pattern()
                        .matcher(prose)
                        .results()
                        .map(found -> new Hit(
                                file.path(),
                                file.lineAt(found.start()),
                                found.group().replaceAll("\\s+", " "),
                                entry.instead())));
    }

    private static Stream<Hit> names(TextFile file, String code, List<Entry> entries) {
        List<Entry> ofNames = entries.stream().filter(Entry::inNames).toList();
        List<Hit> hits = new ArrayList<>();
        Map<String, List<Entry>> seen = new HashMap<>();
        Matcher identifiers = IDENTIFIER.matcher(code);
        while (!ofNames.isEmpty() && identifiers.find()) {
            String name = identifiers.group();
            int start = identifiers.start();
            seen.computeIfAbsent(name, _ -> matching(name, ofNames))
                    .forEach(entry -> hits.add(new Hit(file.path(), file.lineAt(start), name, entry.instead())));
        }
        return hits.stream();
    }

    private static List<Entry> matching(String name, List<Entry> entries) {
        String words = HUMP.matcher(name).replaceAll(" ").toLowerCase(Locale.ROOT);
        return entries.stream()
                .filter(entry ->
                        entry.mayBeIn(words) && entry.pattern().matcher(words).find())
                .toList();
    }

    /** Blanks what begins the lines of a comment, so that phrases are found over the end of a line. */
    private static String blankLineComments(String text) {
        return LINE_COMMENT
                .matcher(text)
                .replaceAll(match -> " ".repeat(match.group().length()));
    }
}
