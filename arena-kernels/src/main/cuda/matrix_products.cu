// Products of matrices in tiles.
// also for compute_90
#include "kernel.cuh"
#include "matrices.cuh"
#include "tiles.cuh"

struct Operands {
    const Matrices *matrices;
    const Tiles *tiles;
    const float *left, *right;
    Target target;

    typedef const float *Column;
};

DEVICE float left_at(const Operands *all, u32 row, u32 k) {
    return all->left[row * all->matrices->left_row + k * all->matrices->left_depth];
}

DEVICE Operands::Column column_of(const Operands *all, u32 column) { return all->right + column * all->matrices->right_column; }

DEVICE float right_at(const Operands *all, Operands::Column column, u32 k) { return column[k * all->matrices->right_depth]; }

DEVICE void store(const Operands *all, u32 row, u32 column, float sum) {
    finish(&all->target, (blockIdx.z * all->tiles->rows + row) * all->tiles->columns + column, column, sum);
}

KERNEL da_matrix_products(OUTPUT, const float *left, const float *right, BY_VALUE Matrices matrices, BY_VALUE Tiles tiles) {
    wait_for_last();
    start_next();
    Operands all = {&matrices,
                    &tiles,
                    left + matrix_of(&matrices, matrices.lefts, blockIdx.z) * (tiles.rows * tiles.depth),
                    right + matrix_of(&matrices, matrices.rights, blockIdx.z) * (tiles.depth * tiles.columns),
                    ITS_TARGET};
    multiply_and_store(&tiles, &all);
}
