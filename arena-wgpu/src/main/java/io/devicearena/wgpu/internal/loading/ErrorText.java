package io.devicearena.wgpu.internal.loading;

import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Describes an exception in one line. Threads: static and stateless; safe for any thread. */
final class ErrorText {
    private ErrorText() {}

    static String of(Throwable failure) {
        String text = switch (failure) {
            // the message of these five is only the name of the file
            case AccessDeniedException e -> e.getFile() + ": permission denied";
            case NoSuchFileException e -> e.getFile() + ": no such file or folder";
            case NotDirectoryException e -> e.getFile() + ": not a folder";
            case FileAlreadyExistsException e -> e.getFile() + ": is a file, not a folder";
            case DirectoryNotEmptyException e -> e.getFile() + ": is a folder with files, not a file; remove it";
            case FileSystemException e -> e.getFile() + ": " + e.getReason();
            default -> failure.getMessage() == null ? failure.toString() : failure.getMessage();
        };
        return text.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /** Puts the name of a file in front, once: the message often begins with it already. */
    static String of(Path file, Throwable failure) {
        String name = file + ": ";
        String text = of(failure);
        while (text.startsWith(name)) {
            text = text.substring(name.length());
        }
        return name + text;
    }
}
