package io.devicearena.rules;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** The files of the repository that people write and read: no build output, no generated code, no data. */
final class Repository {
    static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    private static final Pattern SKIPPED_FOLDER = Pattern.compile(
            "(?:build|shared|docs/api|(?:.*/)?(?:target|src/generated|src/test/resources|\\.(?!ci$)[^/]*))");
    private static final Pattern TEXT = Pattern.compile(".*\\.(?:md|java|sh|xml|js|html|css|py|wgsl|properties|txt)");

    private Repository() {}

    /** A file of the repository, by its path from the root, with forward slashes. */
    record TextFile(String path, String text) {
        boolean isJava() {
            return path.endsWith(".java");
        }

        boolean isTest() {
            return path.contains("/src/test/");
        }

        int lineAt(int offset) {
            return 1
                    + (int) text.substring(0, offset)
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
        }
    }

    private static final List<TextFile> TEXT_FILES = read();

    /** All of them, in the order of their paths; they are read once. */
    static List<TextFile> textFiles() {
        return TEXT_FILES;
    }

    private static List<TextFile> read() {
        List<TextFile> files = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return SKIPPED_FOLDER.matcher(pathOf(folder)).matches()
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    if (attributes.isRegularFile() && isText(file)) {
                        files.add(new TextFile(pathOf(file), Files.readString(file)));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        files.sort(Comparator.comparing(TextFile::path));
        return List.copyOf(files);
    }

    private static boolean isText(Path file) throws IOException {
        String name = requireNonNull(file.getFileName(), "name").toString();
        if (name.indexOf('.') >= 0) {
            return TEXT.matcher(name).matches();
        }
        // a script without an extension, such as ./arena
        try (var in = Files.newInputStream(file)) {
            return in.read() == '#' && in.read() == '!';
        }
    }

    private static String pathOf(Path file) {
        return ROOT.relativize(file).toString().replace('\\', '/');
    }
}
