// The largest element or the mean of each window.
// also for compute_90
#include "kernel.cuh"
#include "images.cuh"

// In the order of Pool.Kind.
enum { MAX, MEAN, MEAN_WITH_PADDING };

typedef struct {
    Images images;
    u32 kind;
} PoolJob;

KERNEL da_pool(float *out, const float *input, BY_VALUE PoolJob job) {
    wait_for_last();
    start_next();
    const Images *images = &job.images;
    u32 i = (u32)FIRST, counted = 0;
    if (i >= images->elements) {
        return;
    }
    Element e = element_of(images, i);
    float pooled = job.kind == MAX ? -3.4028235e38f : 0;
    for (u32 down = 0; down < images->y.size; down++) {
        for (u32 right = 0; right < images->x.size; right++) {
            u32 y = e.y * images->y.stride + down * images->y.dilation, x = e.x * images->x.stride + right * images->x.dilation;
            bool is_in = is_inside(images, y - images->y.before, x - images->x.before);
            if (is_in) {
                float v = input[place_in(images, e.image, e.channel, y - images->y.before, x - images->x.before)];
                pooled = job.kind == MAX ? fmaxf(pooled, v) : pooled + v;
            }
            counted += job.kind == MEAN ? is_in
                                        : y < images->y.before + images->y.length + images->y.after &&
                                              x < images->x.before + images->x.length + images->x.after;
        }
    }
    out[i] = job.kind == MAX ? pooled : pooled / counted;
}
