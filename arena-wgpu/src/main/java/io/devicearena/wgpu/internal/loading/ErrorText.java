package io.devicearena.wgpu.internal.loading;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Says in one line what an exception means. */
final class ErrorText {
    private ErrorText() {}

    static String of(Throwable failure) {
        String text = switch (failure) {
            // these four have a file's name for a message, and say the rest by their class alone
            case AccessDeniedException e -> e.getFile() + ": permission denied";
            case NoSuchFileException e -> e.getFile() + ": no such file or folder";
            case NotDirectoryException e -> e.getFile() + ": not a folder";
            case FileAlreadyExistsException e -> e.getFile() + ": is a file, not a folder";
            case FileSystemException e -> e.getFile() + ": " + e.getReason();
            default -> failure.getMessage() == null ? failure.toString() : failure.getMessage();
        };
        return text.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /** Puts a file's name in front, once: systems and the JVM often have put it there already. */
    static String of(Path file, Throwable failure) {
        String name = file + ": ";
        String text = of(failure);
        while (text.startsWith(name)) {
            text = text.substring(name.length());
        }
        return name + text;
    }
}
