/** The engine's kernels, written as WGSL for the sizes of each layer. */
package com.example.mlp.kernels;
