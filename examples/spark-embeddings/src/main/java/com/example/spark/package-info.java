/**
 * Sentence embeddings of a column of texts, with Apache Spark. Start at {@link com.example.spark.TextColumn}; the arena
 * of an executor is {@link com.example.spark.ExecutorEngine}.
 */
package com.example.spark;
