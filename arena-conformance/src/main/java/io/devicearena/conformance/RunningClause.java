package io.devicearena.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Writes the name of a clause to a file before the clause is tested, and deletes the file afterwards. A backend that
 * ends the process leaves it behind.
 */
final class RunningClause {
    /** Names the file, as a parameter of JUnit's configuration or a system property. */
    static final String PARAMETER = "devicearena.conformance.running";

    private static final String NAME = "conformance-running.txt";
    private static final System.Logger LOG = System.getLogger("io.devicearena.conformance");

    private RunningClause() {}

    /** The file of a run: the named one; else in the build's folder, if there is one. */
    static Optional<Path> file(ExtensionContext context) {
        return context.getConfigurationParameter(PARAMETER)
                .map(Path::of)
                .or(() -> Stream.of("target", "build")
                        .map(Path::of)
                        .filter(Files::isDirectory)
                        .map(folder -> folder.resolve(NAME))
                        .findFirst());
    }

    /** Logs what an earlier run left behind, before the first clause of a run. */
    static void reportEarlier(ExtensionContext context) {
        file(context).filter(Files::exists).ifPresent(file -> {
            try {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "the process of an earlier run ended during "
                                + Files.readString(file).strip());
                Files.delete(file);
            } catch (IOException e) {
                throw new UncheckedIOException(file + ": cannot be read and deleted", e);
            }
        });
    }

    static void write(ExtensionContext context, String where) throws IOException {
        Optional<Path> file = file(context);
        if (file.isPresent()) {
            Files.writeString(file.get(), where + "\n");
        }
    }

    static void delete(ExtensionContext context) throws IOException {
        Optional<Path> file = file(context);
        if (file.isPresent()) {
            Files.deleteIfExists(file.get());
        }
    }
}
