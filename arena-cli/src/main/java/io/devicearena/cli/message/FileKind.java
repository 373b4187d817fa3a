package io.devicearena.cli.message;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * What a name in the file system stands for. Opening a pipe waits until its other end is opened, and some devices never
 * end.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum FileKind {
    /** A file with a size, or nothing at all: opening it reports why. */
    FILE("a file"),
    /** A folder. */
    FOLDER("a folder"),
    /** A named pipe, or the end of a pipe between programs. */
    PIPE("a pipe"),
    /** A socket. */
    SOCKET("a socket"),
    /** A device that is read and written in order, such as a terminal. */
    DEVICE("a device"),
    /** A device that holds a file system. */
    DISK("a disk");

    private static final int TYPE = 0170000; // of the mode of a file, as POSIX has it

    private final String label;

    FileKind(String label) {
        this.label = label;
    }

    /**
     * Finds what a name stands for; links are followed.
     *
     * @param file the name
     * @return its kind
     */
    public static FileKind of(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (attributes.isDirectory()) {
                return FOLDER;
            }
            return attributes.isOther() ? other(file) : FILE;
        } catch (IOException e) {
            return FILE;
        }
    }

    private static FileKind other(Path file) throws IOException {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return DEVICE;
        }
        return switch ((int) Files.getAttribute(file, "unix:mode") & TYPE) {
            case 0010000 -> PIPE;
            case 0060000 -> DISK;
            case 0140000 -> SOCKET;
            default -> DEVICE;
        };
    }

    /**
     * Checks that a file can be read from its beginning to its end; one that does not exist passes.
     *
     * @param file the name
     * @throws InputException if it is a folder, a pipe, a socket or a device
     */
    public static void requireFile(Path file) {
        FileKind kind = of(file);
        if (kind == FOLDER) {
            throw new InputException(file.toString(), "expected a file, got a folder");
        }
        if (kind != FILE) {
            throw new InputException(
                    file.toString(), "expected a regular file, got " + kind + "; write what it gives to a file first");
        }
    }

    @Override
    public String toString() {
        return label;
    }
}
