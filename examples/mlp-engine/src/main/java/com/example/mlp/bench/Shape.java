package com.example.mlp.bench;

/** A weight matrix. */
record Shape(int rows, int columns) {
    /** Reads {@code ROWSxCOLUMNS}. */
    static Shape parse(String text) {
        int cross = text.indexOf('x');
        try {
            return new Shape(Integer.parseInt(text.substring(0, cross)), Integer.parseInt(text.substring(cross + 1)));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("--shapes: expected ROWSxCOLUMNS, got '" + text + "'", e);
        }
    }

    long weights() {
        return (long) rows * columns;
    }

    @Override
    public String toString() {
        return rows + "x" + columns;
    }
}
