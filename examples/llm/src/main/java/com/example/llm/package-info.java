/** A language model from its GGUF file: the command line, the engine, and what it reports. Start at {@code Main}. */
package com.example.llm;
