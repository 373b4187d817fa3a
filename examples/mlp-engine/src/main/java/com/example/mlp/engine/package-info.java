/**
 * Forward passes: on arenas whose bytes are host memory, on arenas with kernels, and the reference that both are held
 * to.
 */
package com.example.mlp.engine;
