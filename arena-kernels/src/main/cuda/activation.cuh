// The functions of gated layers.
#pragma once

enum { GELU_TANH = 1, GELU_ERF, SILU };

DEVICE float activated(u32 activation, float x) {
    if (activation == GELU_TANH) {
        return x - x / (expf(1.5957691216f * x * (1 + 0.044715f * x * x)) + 1);
    }
    return activation == SILU ? x / (1 + expf(-x)) : 0.5f * x * (1 + erff(0.7071067812f * x));
}
