// A convolution as a product: rows are channels of the result, columns its places, the depth is what a kernel has.
// also for compute_90
#include "kernel.cuh"
#include "finish.cuh"
#include "images.cuh"
#include "tiles.cuh"

struct Operands {
    const Convolution *shape;
    const Tiles *tiles;
    const float *input, *weights; // of the group
    u32 channel;                  // of the result, of all images: the first
    Target target;

    typedef struct {
        u32 y, x;
    } Column;
};

DEVICE float left_at(const Operands *all, u32 row, u32 k) { return all->weights[row * all->tiles->depth + k]; }

DEVICE Operands::Column column_of(const Operands *all, u32 number) {
    const Axis *y = &all->shape->images.y, *x = &all->shape->images.x;
    u32 row = quotient(number, x->places);
    Operands::Column column = {row * y->stride - y->before, rest_of(number, row, x->places) * x->stride - x->before};
    return column;
}

DEVICE float right_at(const Operands *all, Operands::Column column, u32 k) {
    const Convolution *shape = all->shape;
    u32 channel = quotient(k, shape->taps), tap = rest_of(k, channel, shape->taps);
    u32 down = quotient(tap, shape->columns);
    u32 y = column.y + down * shape->images.y.dilation;
    u32 x = column.x + rest_of(tap, down, shape->columns) * shape->images.x.dilation;
    return is_inside(&shape->images, y, x) ? all->input[place_in(&shape->images, 0, channel, y, x)] : 0;
}

DEVICE void store(const Operands *all, u32 row, u32 column, float sum) {
    u32 plane = all->channel + row, image = quotient(plane, all->shape->images.out_channels);
    finish(&all->target, plane * all->tiles->columns + column, rest_of(plane, image, all->shape->images.out_channels), sum);
}

KERNEL da_convolution(OUTPUT, const float *input, const float *weights, BY_VALUE Convolution shape, BY_VALUE Tiles tiles) {
    wait_for_last();
    start_next();
    u32 image = quotient(blockIdx.z, shape.groups), group = rest_of(blockIdx.z, image, shape.groups);
    Operands all = {&shape,
                    &tiles,
                    input + place_in(&shape.images, image, group * shape.in_group, 0, 0),
                    weights + group * tiles.rows * tiles.depth,
                    blockIdx.z * tiles.rows,
                    ITS_TARGET};
    multiply_and_store(&tiles, &all);
}
