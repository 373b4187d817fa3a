/** Text to tokens and back, as the vocabulary of a GGUF file describes it. */
package com.example.llm.text;
