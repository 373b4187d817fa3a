package io.devicearena.cli.message;

/**
 * A position in a text file, as messages print it.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param file the name of the file
 * @param line the line, from 1
 * @param column the character of the line, from 1
 */
public record FilePosition(String file, long line, long column) {
    @Override
    public String toString() {
        return file + ": line " + line + ", column " + column;
    }
}
