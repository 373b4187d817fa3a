package io.devicearena.cli.output;

import io.devicearena.cli.message.InputException;
import io.devicearena.cli.message.IoErrorText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/**
 * A folder that a command will write files to, checked before the work begins.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class OutputFolder {
    private OutputFolder() {}

    /**
     * Checks that a folder exists or can be created, and that its files can be written. It changes nothing.
     *
     * @param option the option that names the folder
     * @param folder the folder
     * @param files the names of the files that will be written there
     * @throws InputException if a file cannot be written
     */
    public static void requireWritable(String option, Path folder, List<String> files) {
        if (folder.toString().isEmpty()) {
            throw new InputException(option, "expected the name of a folder, got an empty one");
        }
        Path found = nearestExisting(folder.toAbsolutePath().normalize());
        if (!Files.isDirectory(found)) {
            String what = Files.exists(found) ? "a file" : "a link to nothing";
            throw new InputException(
                    option,
                    "expected a folder, got '" + folder + "'"
                            + (found.endsWith(folder) ? ", which is " + what : ", but '" + found + "' is " + what)
                            + "; name another one");
        }
        try {
            Files.delete(Files.createTempFile(found, "arena-", ".part"));
        } catch (IOException e) {
            throw new InputException(
                    option,
                    "'" + folder + "' cannot be written: " + IoErrorText.why(e) + " in '" + found
                            + "'; name another folder");
        }
        for (String name : files) {
            Path file = folder.resolve(name);
            if (Files.exists(file) && !(Files.isRegularFile(file) && Files.isWritable(file))) {
                throw new InputException(
                        option,
                        "expected to write '" + file + "', which is "
                                + (Files.isDirectory(file) ? "a folder" : "no writable file")
                                + "; name another folder");
            }
        }
    }

    private static Path nearestExisting(Path folder) {
        Path found = folder;
        Path parent = found.getParent();
        while (parent != null && !Files.exists(found, LinkOption.NOFOLLOW_LINKS)) {
            found = parent;
            parent = found.getParent();
        }
        return found;
    }
}
