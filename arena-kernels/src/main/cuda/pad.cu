// Adds words around a value.
// also for compute_90
#include "kernel.cuh"
#include "division.cuh"

// In the order of Pad.Mode.
enum { CONSTANT, EDGE, REFLECT };

typedef struct {
    u32 mode, fill, elements;
    Loops loops; // over the larger shape
    u32 extents[MOST_LOOPS], before[MOST_LOOPS];
} PadJob;

KERNEL da_pad(u32 *out, const u32 *input, BY_VALUE PadJob job) {
    wait_for_last();
    start_next();
    u32 i = (u32)FIRST, rest = i, at = 0, stride = 1;
    if (i >= job.elements) {
        return;
    }
    bool is_outside = false;
    for (int d = (int)job.loops.rank - 1; d >= 0; d--) {
        u32 outer = quotient(rest, job.loops.extents[d]);
        int j = (int)(rest_of(rest, outer, job.loops.extents[d]) - job.before[d]), last = (int)job.extents[d] - 1;
        is_outside |= job.mode == CONSTANT && (j < 0 || j > last);
        j = job.mode == REFLECT ? last - abs(last - abs(j)) : j < 0 ? 0 : j > last ? last : j;
        at += j * stride;
        stride *= job.extents[d];
        rest = outer;
    }
    out[i] = is_outside ? job.fill : input[at];
}
