// Resizes channels. Places are computed in f64 as in Places, so that host and device have the same.
// also for compute_90
#include "kernel.cuh"
#include "division.cuh"

// In the order of Interpolation.Mode, Coordinates and Rounding.
enum { NEAREST, LINEAR };
enum { ASYMMETRIC, HALF_PIXEL, PYTORCH_HALF_PIXEL, ALIGN_CORNERS };
enum { FLOOR, CEIL, ROUND_PREFER_FLOOR, ROUND_PREFER_CEIL };

typedef struct {
    u32 length;
    Divisor all; // the length of the result
    u32 scale[2]; // the bits of a double
} Side;

typedef struct {
    u32 elements, mode, coordinates, rounding;
    Side y, x;
} ResizeJob;

// What an element is made of: first + (second - first) weight.
typedef struct {
    u32 first, second;
    float weight;
} Mixed;

DEVICE double place_at(const ResizeJob *job, const Side *side, u32 i) {
    union {
        u64 bits;
        double number;
    } scale;
    scale.bits = (u64)side->scale[1] << 32 | side->scale[0];
    switch (job->coordinates) {
    case ASYMMETRIC: return i / scale.number;
    case PYTORCH_HALF_PIXEL:
        if (side->all.by == 1) {
            return 0;
        } // else as the next one
    case HALF_PIXEL: return (i + 0.5) / scale.number - 0.5;
    default: return side->all.by == 1 ? 0 : (double)i * (side->length - 1) / (side->all.by - 1);
    }
}

DEVICE double rounded(u32 rounding, double at) {
    switch (rounding) {
    case FLOOR: return floor(at);
    case CEIL: return ceil(at);
    case ROUND_PREFER_FLOOR: return ceil(at - 0.5);
    default: return floor(at + 0.5);
    }
}

DEVICE Mixed mixed(const ResizeJob *job, const Side *side, u32 i) {
    const double last = side->length - 1;
    double at = place_at(job, side, i);
    at = fmax(0, fmin(last, job->mode == NEAREST ? rounded(job->rounding, at) : at));
    double whole = floor(at);
    Mixed mixed = {(u32)whole, at == whole ? (u32)whole : (u32)fmin(whole + 1, last), (float)(at - whole)};
    return mixed;
}

KERNEL da_resize(float *out, const float *input, BY_VALUE ResizeJob job) {
    wait_for_last();
    start_next();
    u32 i = (u32)FIRST;
    if (i >= job.elements) {
        return;
    }
    u32 row = quotient(i, job.x.all), plane = quotient(row, job.y.all);
    Mixed x = mixed(&job, &job.x, rest_of(i, row, job.x.all)), y = mixed(&job, &job.y, rest_of(row, plane, job.y.all));
    const float *above = input + (plane * job.y.length + y.first) * job.x.length;
    const float *below = input + (plane * job.y.length + y.second) * job.x.length;
    float upper = above[x.first] + (above[x.second] - above[x.first]) * x.weight;
    float lower = below[x.first] + (below[x.second] - below[x.first]) * x.weight;
    out[i] = upper + (lower - upper) * y.weight;
}
