// A transposed convolution with a thread for each element, which adds up the inputs whose window it is in.
// also for compute_90
#include "kernel.cuh"
#include "finish.cuh"
#include "images.cuh"

KERNEL da_transposed_convolution(OUTPUT, const float *input, const float *weights, BY_VALUE Convolution shape) {
    wait_for_last();
    start_next();
    const Images *images = &shape.images;
    u32 i = (u32)FIRST;
    if (i >= images->elements) {
        return;
    }
    Element e = element_of(images, i);
    u32 group = quotient(e.channel, shape.out_group), first = group * shape.in_group;
    u32 of_group = rest_of(e.channel, group, shape.out_group), taps = images->y.size * images->x.size;
    float sum = 0;
    for (u32 down = 0; down < images->y.size; down++) {
        for (u32 right = 0; right < images->x.size; right++) {
            u32 y = e.y + images->y.before - down * images->y.dilation, x = e.x + images->x.before - right * images->x.dilation;
            if (y % images->y.stride == 0 && x % images->x.stride == 0 &&
                is_inside(images, y / images->y.stride, x / images->x.stride)) {
                for (u32 c = first; c < first + shape.in_group; c++) {
                    float weight = weights[(c * shape.out_group.by + of_group) * taps + down * images->x.size + right];
                    u32 place = place_in(images, e.image, c, y / images->y.stride, x / images->x.stride);
                    sum = fmaf(weight, input[place], sum);
                }
            }
        }
    }
    Target target = ITS_TARGET;
    finish(&target, i, e.channel, sum);
}
