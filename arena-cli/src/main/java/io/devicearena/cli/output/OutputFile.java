package io.devicearena.cli.output;

import io.devicearena.cli.message.InputException;
import io.devicearena.cli.message.IoErrorText;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * A file that a command is to write. Whether it can be written is told before the work begins; it is written beside its
 * place and moved there when it is whole, so that an interrupt leaves no half of it.
 */
public final class OutputFile {
    private static final int MOST_LINKS = 40; // as Linux follows

    private final String option;
    private final Path named;
    private final Path place; // what is named, links followed
    private final boolean stream; // a device or a pipe, which nothing can be moved to

    private OutputFile(String option, Path named, Path place, boolean stream) {
        this.option = option;
        this.named = named;
        this.place = place;
        this.stream = stream;
    }

    /** Writes what a file is to hold. */
    interface Content {
        void write(Writer target) throws IOException;
    }

    /**
     * Checks that a file can be written, and changes nothing.
     *
     * @param option the option that named it
     * @throws InputException if it cannot be written
     */
    public static OutputFile of(String option, Path named) {
        if (named.toString().isEmpty()) {
            throw new InputException(option, "expected the name of a file, got an empty one");
        }
        try {
            Optional<BasicFileAttributes> found = attributes(named);
            if (found.isPresent() && found.get().isDirectory()) {
                throw new InputException(option, "expected a file, got the folder '" + named + "'; name a file in it");
            }
            if (found.isPresent() && found.get().isOther()) {
                return new OutputFile(option, named, named, true);
            }
            Path place = found.isPresent() ? named.toRealPath() : behindLinks(named.toAbsolutePath());
            requireFolder(option, place);
            if (found.isPresent() && !Files.isWritable(place)) {
                throw new InputException(
                        option,
                        "expected a file that may be written, got '" + named
                                + "', which is read-only; name another one");
            }
            Files.delete(beside(place)); // only to see that the folder takes it
            return new OutputFile(option, named, place, false);
        } catch (IOException e) {
            throw new InputException(
                    option,
                    "expected a file that can be written, got '" + named + "': " + IoErrorText.why(e)
                            + "; name another one");
        }
    }

    private static Optional<BasicFileAttributes> attributes(Path file) throws IOException {
        try {
            return Optional.of(Files.readAttributes(file, BasicFileAttributes.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** The file that a link to nothing yet stands for; the file itself when it is no link. */
    private static Path behindLinks(Path file) throws IOException {
        Path place = file;
        for (int i = 0; i < MOST_LINKS && Files.isSymbolicLink(place); i++) {
            place = place.resolveSibling(Files.readSymbolicLink(place));
        }
        return place;
    }

    private static void requireFolder(String option, Path place) {
        Path folder = place.getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new InputException(
                    option,
                    "expected a folder that exists, got '" + folder + "', which "
                            + (Files.exists(folder) ? "is a file; name a folder" : "does not; make it first"));
        }
    }

    /**
     * Checks that writing this does not destroy another file of the command.
     *
     * @param other what else the command reads or writes
     * @param role what the other one is
     * @throws InputException if both are the same file, by whichever path or link
     */
    public void requireApartFrom(Path other, String role) {
        if (!stream && isSame(other)) {
            throw new InputException(
                    option, "expected another file than " + role + ", got '" + named + "'; name another one");
        }
    }

    /** As {@link #requireApartFrom(Path, String)}, for another file that is written. */
    public void requireApartFrom(OutputFile other) {
        requireApartFrom(other.place, "that of " + other.option);
    }

    private boolean isSame(Path other) {
        try {
            if (Files.exists(place) && Files.exists(other)) {
                return Files.isSameFile(place, other);
            }
            return inRealFolder(place).equals(inRealFolder(other.toAbsolutePath()));
        } catch (IOException e) {
            return false; // the other one cannot be looked at: whoever reads it tells why
        }
    }

    private static Path inRealFolder(Path file) throws IOException {
        Path folder = file.getParent();
        return folder == null ? file : folder.toRealPath().resolve(file.getFileName());
    }

    /**
     * Writes the file.
     *
     * @throws IOException if that fails, for instance because the disk is full
     */
    void write(Content content) throws IOException {
        try {
            if (stream) {
                writeTo(named, content);
            } else {
                writeWhole(content);
            }
        } catch (IOException e) {
            throw new IOException(
                    option + ": expected to write '" + named + "', got " + IoErrorText.why(e) + "; name another file", e);
        }
    }

    private void writeWhole(Content content) throws IOException {
        Path part = beside(place);
        part.toFile().deleteOnExit(); // an interrupt ends the process without the block below
        try {
            writeTo(part, content);
            if (Files.exists(place) && isPosix()) {
                Files.setPosixFilePermissions(part, Files.getPosixFilePermissions(place));
            }
            Files.move(part, place, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void writeTo(Path file, Content content) throws IOException {
        try (Writer target = Files.newBufferedWriter(file)) {
            content.write(target);
        }
    }

    /** A new empty file beside another, of a name that nothing had and with the permissions of any new file. */
    private static Path beside(Path file) throws IOException {
        FileAttribute<?>[] permissions = isPosix()
                ? new FileAttribute<?>[] {
                    // the system takes from these what the user's mask forbids; alone they would be the user's only
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-rw-rw-"))
                }
                : new FileAttribute<?>[0];
        return Files.createTempFile(file.resolveSibling(""), "arena-", ".part", permissions);
    }

    private static boolean isPosix() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }
}
