/** Sentence embeddings of all-MiniLM-L6-v2. Start at {@link com.example.embeddings.Embeddings}. */
package com.example.embeddings;
