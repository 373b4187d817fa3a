package io.devicearena.cli.message;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;

/**
 * The reason of a file system error in words. Java's own messages are often just the name of the file.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class IoErrorText {
    private IoErrorText() {}

    /**
     * The reason why a file was refused.
     *
     * @param fault the exception
     * @return a short phrase, for example {@code no permission}
     */
    public static String why(IOException fault) {
        if (fault instanceof NoSuchFileException) {
            return "no such file";
        }
        if (fault instanceof AccessDeniedException) {
            return "no permission";
        }
        String reason = fault instanceof FileSystemException refused ? refused.getReason() : fault.getMessage();
        if (fault instanceof FileSystemLoopException // from JDK 26 on
                || (reason != null && reason.startsWith("Too many levels of symbolic links"))) {
            return "a loop of links";
        }
        return reason == null
                ? fault.getClass().getSimpleName()
                : reason.substring(0, 1).toLowerCase(Locale.ROOT) + reason.substring(1);
    }
}
