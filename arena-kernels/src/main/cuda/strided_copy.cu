// Copies words from places to places.
// also for compute_90
#include "kernel.cuh"
#include "division.cuh"

typedef struct {
    u32 elements;
    Loops loops;
    Strides strides[2]; // of the output and of the input
} CopyJob;

KERNEL da_strided_copy(u32 *out, const u32 *input, BY_VALUE CopyJob job) {
    wait_for_last();
    start_next();
    u32 i = (u32)FIRST, places[2];
    if (i < job.elements) {
        find_places<2>(&job.loops, job.strides, i, places);
        out[places[0]] = input[places[1]];
    }
}
