package io.devicearena.weights.tensor;

import java.nio.file.Path;

/**
 * A file of weights cannot be read, or is not what its format asks for.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class WeightFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The file with the fault. */
    private final transient Path file;

    /** Bytes from the start of the file to the fault. */
    private final long offset;

    /**
     * Makes the exception; the message begins with the file and the place.
     *
     * @param file the file
     * @param offset bytes from the start of the file to the fault
     * @param problem what was expected and what is there
     */
    public WeightFileException(Path file, long offset, String problem) {
        super(file + ", byte " + offset + ": " + problem);
        this.file = file;
        this.offset = offset;
    }

    /**
     * Makes the exception for what failed below.
     *
     * @param file the file
     * @param offset bytes from the start of the file to the fault
     * @param problem what was expected and what is there
     * @param cause what failed
     */
    public WeightFileException(Path file, long offset, String problem, Throwable cause) {
        this(file, offset, problem);
        initCause(cause);
    }

    /**
     * Makes the exception for a file that cannot be opened; the message begins with the file.
     *
     * @param file the file
     * @param problem what was expected and what is there
     */
    public WeightFileException(Path file, String problem) {
        super(file + ": " + problem);
        this.file = file;
        this.offset = 0;
    }

    /** {@return the file with the fault} */
    public Path file() {
        return file;
    }

    /** {@return bytes from the start of the file to the fault; 0 for a file that cannot be opened} */
    public long offset() {
        return offset;
    }
}
