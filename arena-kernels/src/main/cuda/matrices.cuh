// Operands of products of matrices, in any layout.
#pragma once
#include "division.cuh"
#include "finish.cuh"

#define MOST_AXES 4

typedef struct {
    u32 left_row, left_depth, right_column, right_depth; // elements from one to the next
    Divisor sizes[MOST_AXES];                            // of the axes of many products, outermost first
    u32 lefts[MOST_AXES], rights[MOST_AXES];             // the matrices from one to the next along each
} Matrices;

// The number of an operand's matrix.
DEVICE u32 matrix_of(const Matrices *matrices, const u32 *steps, u32 product) {
    u32 matrix = 0;
    for (int axis = MOST_AXES - 1; axis >= 0; axis--) {
        u32 outer = quotient(product, matrices->sizes[axis]);
        matrix += rest_of(product, outer, matrices->sizes[axis]) * steps[axis];
        product = outer;
    }
    return matrix;
}
