/** The model: its sizes, its tensors, its graph, and the engine that runs it. */
package com.example.llm.model;
