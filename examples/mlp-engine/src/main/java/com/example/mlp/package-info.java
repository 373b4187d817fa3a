/** An engine that runs small networks: a graph, its plan, weights, and forward passes on any provider. */
package com.example.mlp;
