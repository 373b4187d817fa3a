/** The engine's own graph, read from a file, and what a planner sees of it. */
package com.example.mlp.graph;
