// A convolution with a thread for each element: for groups of few channels.
// also for compute_90
#include "kernel.cuh"
#include "finish.cuh"
#include "images.cuh"

KERNEL da_direct_convolution(OUTPUT, const float *input, const float *weights, BY_VALUE Convolution shape) {
    wait_for_last();
    start_next();
    const Images *images = &shape.images;
    u32 i = (u32)FIRST;
    if (i >= images->elements) {
        return;
    }
    Element e = element_of(images, i);
    u32 first = quotient(e.channel, shape.out_group) * shape.in_group, taps = images->y.size * images->x.size;
    float sum = 0;
    for (u32 c = 0; c < shape.in_group; c++) {
        const float *kernel = weights + (e.channel * shape.in_group + c) * taps;
        for (u32 down = 0; down < images->y.size; down++) {
#pragma unroll 4
            for (u32 right = 0; right < images->x.size; right++) {
                u32 y = e.y * images->y.stride + down * images->y.dilation - images->y.before;
                u32 x = e.x * images->x.stride + right * images->x.dilation - images->x.before;
                if (is_inside(images, y, x)) {
                    sum = fmaf(kernel[down * images->x.size + right], input[place_in(images, e.image, first + c, y, x)], sum);
                }
            }
        }
    }
    Target target = ITS_TARGET;
    finish(&target, i, e.channel, sum);
}
