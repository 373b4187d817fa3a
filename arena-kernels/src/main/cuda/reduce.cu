// Reduces elements to one: a team of threads for each output, a power of two.
// also for compute_90
#include "kernel.cuh"
#include "division.cuh"

#define THREADS 256

// In the order of Reduction.
enum { SUM, MEAN, SUM_OF_SQUARES, L2, PRODUCT, MAXIMUM, MINIMUM, ARG_MAX };

typedef struct {
    u32 reduction, outputs, count;
    u32 team, lane_step, output_step; // how far the threads of a team, and the teams, are apart
    Loops kept, reduced;
    Strides kept_strides, reduced_strides;
} ReduceJob;

typedef struct {
    float value;
    u32 number;
} Result;

DEVICE Result start(u32 reduction) {
    Result result = {reduction == PRODUCT ? 1 : reduction == MINIMUM ? 3.4e38f : reduction >= MAXIMUM ? -3.4e38f : 0.0f, 0};
    return result;
}

// Of equal ones the first.
DEVICE Result combined(u32 reduction, Result a, Result b) {
    switch (reduction) {
    case PRODUCT: a.value *= b.value; return a;
    case MAXIMUM: a.value = fmaxf(a.value, b.value); return a;
    case MINIMUM: a.value = fminf(a.value, b.value); return a;
    case ARG_MAX: return b.value > a.value || (b.value == a.value && b.number < a.number) ? b : a;
    default: a.value += b.value; return a;
    }
}

DEVICE u32 finished(const ReduceJob *job, Result result) {
    return job->reduction == ARG_MAX ? result.number
         : job->reduction == MEAN    ? FLOAT_BITS(result.value / job->count)
         : job->reduction == L2      ? FLOAT_BITS(sqrtf(result.value))
                                     : FLOAT_BITS(result.value);
}

KERNEL da_reduce(u32 *out, const float *input, BY_VALUE ReduceJob job) {
    __shared__ Result results[THREADS];
    wait_for_last();
    start_next();
    const u32 thread = threadIdx.x, teams = THREADS / job.team, lane = thread / job.lane_step % job.team;
    const u32 output = blockIdx.x * teams + thread / job.output_step % teams;
    const bool is_squared = job.reduction == SUM_OF_SQUARES || job.reduction == L2;
    Result result = start(job.reduction);
    if (output < job.outputs) {
        u32 first, place;
        find_places<1>(&job.kept, &job.kept_strides, output, &first);
#pragma unroll 4
        for (u32 i = lane; i < job.count; i += job.team) {
            find_places<1>(&job.reduced, &job.reduced_strides, i, &place);
            float x = input[first + place];
            Result one = {is_squared ? x * x : x, i};
            result = combined(job.reduction, result, one);
        }
    }
    results[thread] = result;
    for (u32 half = job.team / 2; half > 0; half /= 2) {
        __syncthreads();
        if (lane < half) {
            results[thread] = combined(job.reduction, results[thread], results[thread + half * job.lane_step]);
        }
    }
    if (lane == 0 && output < job.outputs) {
        out[output] = finished(&job, results[thread]);
    }
}
