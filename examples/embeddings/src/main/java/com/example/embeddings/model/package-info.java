/** The graph of the model for a shape of a batch, and how it runs on the host and on a GPU. */
package com.example.embeddings.model;
