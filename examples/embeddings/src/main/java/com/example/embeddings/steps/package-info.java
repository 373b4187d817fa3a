/** The steps of the model: each as a kernel of a GPU and as Java code. */
package com.example.embeddings.steps;
