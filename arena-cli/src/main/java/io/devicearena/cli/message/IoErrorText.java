package io.devicearena.cli.message;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;

/** Says in plain words why a system refused a file; Java's own messages are often the bare name of the file. */
public final class IoErrorText {
    private IoErrorText() {}

    public static String why(IOException fault) {
        if (fault instanceof NoSuchFileException) {
            return "nothing of that name";
        }
        if (fault instanceof AccessDeniedException) {
            return "no permission";
        }
        String reason = fault instanceof FileSystemException refused ? refused.getReason() : fault.getMessage();
        if (reason != null && reason.startsWith("Too many levels of symbolic links")) {
            return "a loop of links";
        }
        return reason == null
                ? fault.getClass().getSimpleName()
                : reason.substring(0, 1).toLowerCase(Locale.ROOT) + reason.substring(1);
    }
}
