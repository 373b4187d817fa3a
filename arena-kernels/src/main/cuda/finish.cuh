// What becomes of sums of products: an expression of them and of values, each of the output's shape or with an element a channel.
#pragma once
#include "expression.cuh"

#define MOST_MORE 4

typedef struct {
    u32 inputs, of_channel; // a bit for each input
    Expression expression;
} End;

// The first parameters of a kernel; an input is null where it is the output.
#define OUTPUT                                                                                                       \
    float *out, const float *more_1, const float *more_2, const float *more_3, const float *more_4, BY_VALUE End end
#define ITS_TARGET target_of(out, more_1, more_2, more_3, more_4, &end)

typedef struct {
    float *out;
    const float *more[MOST_MORE];
    const End *end;
} Target;

DEVICE Target target_of(float *out, const float *a, const float *b, const float *c, const float *d, const End *end) {
    Target target = {out, {a, b, c, d}, end};
    return target;
}

DEVICE void finish(const Target *target, u32 at, u32 channel, float sum) {
    const End *end = target->end;
    Values values;
    values[0] = FLOAT_BITS(sum);
    for (u32 i = 0; i < MOST_MORE; i++) {
        if (i < end->inputs) {
            const float *more = target->more[i] ? target->more[i] : target->out;
            values[FIRST_INPUT + i] = FLOAT_BITS(more[end->of_channel >> i & 1 ? channel : at]);
        }
    }
    target->out[at] = BITS_FLOAT(result_of(&end->expression, values));
}
