// Images, and the window that moves over them.
#pragma once
#include "division.cuh"

typedef struct {
    u32 size, stride, before, after, dilation; // of the window
    u32 length;                                // of the image
    Divisor places;                            // of the window: the length of the result
} Axis;

typedef struct {
    Axis y, x;
    u32 channels;
    Divisor out_channels;
    u32 elements; // of the result
} Images;

// An element of the result.
typedef struct {
    u32 image, channel, y, x;
} Element;

DEVICE Element element_of(const Images *images, u32 i) {
    u32 row = quotient(i, images->x.places), plane = quotient(row, images->y.places);
    u32 image = quotient(plane, images->out_channels);
    Element element = {image, rest_of(plane, image, images->out_channels), rest_of(row, plane, images->y.places),
                       rest_of(i, row, images->x.places)};
    return element;
}

// Numbers below 0 are large ones.
DEVICE bool is_inside(const Images *images, u32 y, u32 x) { return y < images->y.length && x < images->x.length; }

DEVICE u32 place_in(const Images *images, u32 image, u32 channel, u32 y, u32 x) {
    return ((image * images->channels + channel) * images->y.length + y) * images->x.length + x;
}

// Channels in groups that are convolved by themselves.
typedef struct {
    Images images;
    u32 in_group; // the channels of a group
    Divisor out_group, groups, taps, columns; // the elements of the window, and those of a row of it
} Convolution;
