package com.example.spark;

import java.util.Arrays;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Adds the vectors of a column of texts. */
public final class TextColumn {
    /** The name of the column that is added: arrays of 384 floats, null where the text is null. */
    public static final String EMBEDDING = "embedding";

    private TextColumn() {}

    /**
     * Returns rows with a column more. Nothing runs before Spark asks for them. A partition asks for as many rows as
     * one window has, so that no more than that is in memory.
     *
     * @param rows any rows
     * @param column the name of a column of strings
     * @return the rows in their order, each with its {@link #EMBEDDING} behind it
     * @throws IllegalArgumentException if there is no such column, it has no strings, or there is an {@link #EMBEDDING}
     */
    public static Dataset<Row> embed(Dataset<Row> rows, String column) {
        StructType schema = rows.schema();
        if (!Arrays.asList(schema.fieldNames()).contains(column)) {
            throw new IllegalArgumentException("column: expected one of " + Arrays.toString(schema.fieldNames()) + ", got '"
                    + column + "'");
        }
        int index = schema.fieldIndex(column);
        if (!schema.fields()[index].dataType().equals(DataTypes.StringType)) {
            throw new IllegalArgumentException("column '" + column + "': expected strings, got "
                    + schema.fields()[index].dataType().simpleString());
        }
        if (Arrays.asList(schema.fieldNames()).contains(EMBEDDING)) {
            throw new IllegalArgumentException(
                    "rows: expected none that have a column '" + EMBEDDING + "', got one; rename or drop it");
        }
        StructType all = schema.add(EMBEDDING, DataTypes.createArrayType(DataTypes.FloatType, false), true);
        MapPartitionsFunction<Row, Row> perPartition = some -> new EmbeddedRows(some, index);
        return rows.mapPartitions(perPartition, Encoders.row(all));
    }
}
