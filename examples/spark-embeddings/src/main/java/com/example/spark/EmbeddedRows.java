package com.example.spark;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;

/**
 * Rows with their vectors. It takes a window of rows at a time and gives it to the engine, which sorts the window by
 * length and runs it in batches: so batches have little that only fills them up, and the rows come out in their order.
 */
final class EmbeddedRows implements Iterator<Row> {
    /** Enough that the engine finds texts of like length for each batch. */
    private static final int WINDOW = 1024;

    private final Iterator<Row> rows;
    private final int column;
    private final Deque<Row> ready = new ArrayDeque<>();

    EmbeddedRows(Iterator<Row> rows, int column) {
        this.rows = rows;
        this.column = column;
    }

    @Override
    public boolean hasNext() {
        return !ready.isEmpty() || rows.hasNext();
    }

    @Override
    public Row next() {
        if (ready.isEmpty()) {
            fill();
        }
        return ready.remove();
    }

    private void fill() {
        List<Row> window = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        while (window.size() < WINDOW && rows.hasNext()) {
            Row row = rows.next();
            window.add(row);
            if (!row.isNullAt(column)) {
                texts.add(row.getString(column));
            }
        }
        if (window.isEmpty()) {
            throw new NoSuchElementException("all rows of the partition were taken");
        }
        float[][] vectors = texts.isEmpty() ? new float[0][] : ExecutorEngine.current().embed(texts);
        int next = 0;
        for (Row row : window) {
            ready.add(with(row, row.isNullAt(column) ? null : vectors[next++]));
        }
    }

    private static Row with(Row row, float[] vector) {
        Object[] values = new Object[row.size() + 1];
        for (int i = 0; i < row.size(); i++) {
            values[i] = row.get(i);
        }
        values[row.size()] = vector;
        return RowFactory.create(values);
    }
}
