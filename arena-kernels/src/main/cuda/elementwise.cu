// An expression for each element, of inputs that are broadcast.
// also for compute_90
#include "kernel.cuh"
#include "division.cuh"
#include "expression.cuh"

typedef struct {
    u32 elements, inputs;
    Loops loops;
    Strides strides[MOST_INPUTS];
    Expression expression;
} ElementwiseJob;

// An input is null where it is the output.
KERNEL da_elementwise(u32 *out, const u32 *in_1, const u32 *in_2, const u32 *in_3, const u32 *in_4, const u32 *in_5,
                      const u32 *in_6, const u32 *in_7, BY_VALUE ElementwiseJob job) {
    wait_for_last();
    start_next();
    const u32 *inputs[MOST_INPUTS] = {in_1, in_2, in_3, in_4, in_5, in_6, in_7};
    u32 i = (u32)FIRST, places[MOST_INPUTS];
    if (i >= job.elements) {
        return;
    }
    find_places<MOST_INPUTS>(&job.loops, job.strides, i, places);
    Values values;
    for (u32 k = 0; k < MOST_INPUTS; k++) {
        if (k < job.inputs) {
            values[FIRST_INPUT + k] = (inputs[k] ? inputs[k] : out)[places[k]];
        }
    }
    out[i] = result_of(&job.expression, values);
}
