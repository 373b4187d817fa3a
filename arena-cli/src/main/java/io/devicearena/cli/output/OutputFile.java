package io.devicearena.cli.output;

import io.devicearena.cli.message.FileKind;
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
 * A file that a command will write. It is checked before the work begins, written under another name in the same
 * folder, and renamed when it is complete, so that an interrupt never leaves half a file.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class OutputFile {
    private static final int MAX_LINKS = 40; // as many as Linux follows

    private final String option;
    private final Path named;
    private final Path place; // the named file, links resolved
    private final boolean stream; // a device or a pipe: nothing can be renamed to it

    private OutputFile(String option, Path named, Path place, boolean stream) {
        this.option = option;
        this.named = named;
        this.place = place;
        this.stream = stream;
    }

    /**
     * Writes the content of a file.
     *
     * <p><b>Threads:</b> one thread at a time.
     */
    public interface Content {
        /**
         * Writes it.
         *
         * @param target the open file
         * @throws IOException if writing fails
         */
        void write(Writer target) throws IOException;
    }

    /**
     * Writes the content of a file that it opens itself.
     *
     * <p><b>Threads:</b> one thread at a time.
     */
    public interface Filling {
        /**
         * Writes it.
         *
         * @param file the file, which is there and empty, or a device
         * @throws IOException if writing fails
         */
        void writeTo(Path file) throws IOException;
    }

    /**
     * Checks that a file can be written, and changes nothing.
     *
     * @param option the option that names it
     * @param named the file
     * @return the file, ready to be written
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
                requireStream(option, named);
                return new OutputFile(option, named, named, true);
            }
            Path place = found.isPresent() ? named.toRealPath() : linkTarget(named.toAbsolutePath());
            requireFolder(option, place);
            if (found.isPresent() && !Files.isWritable(place)) {
                throw new InputException(
                        option, "expected a writable file, got '" + named + "', which is read-only; name another one");
            }
            Files.delete(newSibling(place)); // checks that files can be created in the folder
            return new OutputFile(option, named, place, false);
        } catch (IOException e) {
            throw new InputException(
                    option, "'" + named + "' cannot be written: " + IoErrorText.why(e) + "; name another one");
        }
    }

    /** A device or an end of a pipe of this process; a named pipe would block until another program reads it. */
    private static void requireStream(String option, Path named) {
        FileKind kind = FileKind.of(named);
        Path file = named.toAbsolutePath();
        boolean descriptor = file.startsWith("/dev") || file.startsWith("/proc");
        if (kind != FileKind.DEVICE && !(kind == FileKind.PIPE && descriptor)) {
            throw new InputException(
                    option, "expected a file, got " + kind + ", '" + named + "'; name a file, or /dev/stdout");
        }
    }

    private static Optional<BasicFileAttributes> attributes(Path file) throws IOException {
        try {
            return Optional.of(Files.readAttributes(file, BasicFileAttributes.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** The target of a link, which need not exist; the file itself if it is not a link. */
    private static Path linkTarget(Path file) throws IOException {
        Path place = file;
        for (int i = 0; i < MAX_LINKS && Files.isSymbolicLink(place); i++) {
            place = place.resolveSibling(Files.readSymbolicLink(place));
        }
        return place;
    }

    private static void requireFolder(String option, Path place) {
        Path folder = place.getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new InputException(
                    option,
                    "expected an existing folder, got '" + folder + "', which "
                            + (Files.exists(folder) ? "is a file; name a folder" : "does not exist; create it first"));
        }
    }

    /**
     * Checks that writing this file does not overwrite another file of the command.
     *
     * @param other a file that the command reads or writes
     * @param role what the other file is
     * @throws InputException if both are the same file, by any path or link
     */
    public void requireDistinctFrom(Path other, String role) {
        if (!stream && isSame(other)) {
            throw new InputException(
                    option, "expected another file than " + role + ", got '" + named + "'; name another one");
        }
    }

    /**
     * Checks that both files are different, as {@link #requireDistinctFrom(Path, String)} does.
     *
     * @param other another file that the command writes
     * @throws InputException if both are the same file
     */
    public void requireDistinctFrom(OutputFile other) {
        requireDistinctFrom(other.place, "that of " + other.option);
    }

    private boolean isSame(Path other) {
        try {
            if (Files.exists(place) && Files.exists(other)) {
                return Files.isSameFile(place, other);
            }
            return inRealFolder(place).equals(inRealFolder(other.toAbsolutePath()));
        } catch (IOException e) {
            return false; // the other file cannot be resolved; reading it will report why
        }
    }

    private static Path inRealFolder(Path file) throws IOException {
        Path folder = file.getParent();
        return folder == null ? file : folder.toRealPath().resolve(file.getFileName());
    }

    /**
     * Writes the file.
     *
     * @param content writes its content
     * @throws IOException if that fails, for example because the disk is full
     */
    public void write(Content content) throws IOException {
        fill(file -> {
            try (Writer target = Files.newBufferedWriter(file)) {
                content.write(target);
            }
        });
    }

    /**
     * Writes the file.
     *
     * @param content opens the file and writes its content
     * @throws IOException if that fails, for example because the disk is full
     */
    public void fill(Filling content) throws IOException {
        try {
            if (stream) {
                content.writeTo(named);
            } else {
                writeWhole(content);
            }
        } catch (IOException e) {
            throw new IOException(
                    option + ": writing '" + named + "' failed: " + IoErrorText.why(e) + "; name another file", e);
        }
    }

    private void writeWhole(Filling content) throws IOException {
        Path part = newSibling(place);
        part.toFile().deleteOnExit(); // an interrupt skips the finally block
        try {
            content.writeTo(part);
            if (Files.exists(place) && isPosix()) {
                Files.setPosixFilePermissions(part, Files.getPosixFilePermissions(place));
            }
            Files.move(part, place, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** A new empty file in the same folder, with a new name and the default permissions. */
    private static Path newSibling(Path file) throws IOException {
        FileAttribute<?>[] permissions = isPosix()
                ? new FileAttribute<?>[] {
                    // the system removes what the umask forbids; without this, only the user could read the file
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-rw-rw-"))
                }
                : new FileAttribute<?>[0];
        return Files.createTempFile(file.resolveSibling(""), "arena-", ".part", permissions);
    }

    private static boolean isPosix() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }
}
