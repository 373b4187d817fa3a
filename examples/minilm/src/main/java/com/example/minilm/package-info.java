/** Sentence embeddings of all-MiniLM-L6-v2: start at {@link com.example.minilm.MiniLm}. */
package com.example.minilm;
