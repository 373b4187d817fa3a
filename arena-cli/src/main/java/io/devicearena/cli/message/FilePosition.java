package io.devicearena.cli.message;

/**
 * A place in a file, as messages tell it.
 *
 * @param line from 1
 * @param column the character of the line, from 1
 */
public record FilePosition(String file, long line, long column) {
    @Override
    public String toString() {
        return file + ": line " + line + ", column " + column;
    }
}
