/* A convolution as a product: rows are channels of the output, columns its places, the depth is what a kernel has. */
//! use product/sizes
//! use convolution/grouped
//! use FINISH: elementwise/finish
override GROUPS: u32 = 1u;

const TAPS = SIZE_Y * SIZE_X;
struct Place { image: u32, channel: u32, y: u32, x: u32 }

fn left(product: u32, row: u32, k: u32) -> f32 {
    return weights[first_weights + (product % GROUPS * ROWS + row) * DEPTH + k];
}

fn place_of(product: u32, column: u32) -> Place {
    let y = column / OUT_WIDTH * STRIDE_Y - BEFORE_Y;
    let x = column % OUT_WIDTH * STRIDE_X - BEFORE_X;
    return Place(product / GROUPS, product % GROUPS * IN_GROUP, y, x);
}

fn right(place: Place, k: u32) -> f32 {
    let y = place.y + k % TAPS / SIZE_X * DILATION_Y;
    let x = place.x + k % SIZE_X * DILATION_X;
    if (!is_inside(y, x)) { return 0.0; }
    return input_at(place.image, place.channel + k / TAPS, y, x);
}

fn store(product: u32, row: u32, column: u32, sum: f32) {
    let channel = product % GROUPS * ROWS + row;
    if (row < ROWS && column < COLUMNS) {
        finish((product / GROUPS * OUT_CHANNELS + channel) * COLUMNS + column, channel, sum);
    }
}
