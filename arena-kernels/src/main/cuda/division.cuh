// Places of elements without divisions: those by a number that all threads have are products.
#pragma once

// multiplier = ceil(2^shift / by), with shift = 31 + ceil(log2(by)): exact for numbers below 2^31.
typedef struct {
    u32 by, multiplier, shift;
} Divisor;

DEVICE u32 quotient(u32 number, Divisor divisor) { return (u32)((u64)number * divisor.multiplier >> divisor.shift); }

DEVICE u32 rest_of(u32 number, u32 quotient, Divisor divisor) { return number - quotient * divisor.by; }

#define MOST_LOOPS 8

// Nested loops over the elements of a shape, the outermost one first.
typedef struct {
    u32 rank;
    Divisor extents[MOST_LOOPS];
} Loops;

// Where a value's first element is, and how far the next one of each loop is; a number below 0 is a large one.
typedef struct {
    u32 first, steps[MOST_LOOPS];
} Strides;

// Where an element is in each of some values.
template <int VALUES> DEVICE void find_places(const Loops *loops, const Strides *strides, u32 element, u32 *places) {
    for (int v = 0; v < VALUES; v++) {
        places[v] = strides[v].first;
    }
    for (u32 d = loops->rank - 1; d > 0; d--) {
        u32 outer = quotient(element, loops->extents[d]), inner = rest_of(element, outer, loops->extents[d]);
        for (int v = 0; v < VALUES; v++) {
            places[v] += inner * strides[v].steps[d];
        }
        element = outer;
    }
    for (int v = 0; v < VALUES; v++) {
        places[v] += element * strides[v].steps[0];
    }
}
