/** Measures the engine's kernels: bytes of weights a second, for each shape and tuning. */
package com.example.mlp.bench;
