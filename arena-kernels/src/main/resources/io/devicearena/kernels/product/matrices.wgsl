//! use product/sizes
//! use FINISH: elementwise/finish
override LEFT_ROW: u32 = 64u;
override LEFT_DEPTH: u32 = 1u;
override RIGHT_COLUMN: u32 = 1u;
override RIGHT_DEPTH: u32 = 64u;
/* The axes of many products: their sizes, and the matrices from one to the next of both operands. */
override SIZE_0: u32 = 1u;
override SIZE_1: u32 = 1u;
override SIZE_2: u32 = 1u;
override SIZE_3: u32 = 1u;
override LEFT_0: u32 = 0u;
override LEFT_1: u32 = 0u;
override LEFT_2: u32 = 0u;
override LEFT_3: u32 = 0u;
override RIGHT_0: u32 = 0u;
override RIGHT_1: u32 = 0u;
override RIGHT_2: u32 = 0u;
override RIGHT_3: u32 = 0u;

@group(0) @binding(0) var<storage, read> left_values: array<f32>;
@group(0) @binding(1) var<storage, read> right_values: array<f32>;
const first_left_values: u32 = 0u; //! job
const first_right_values: u32 = 0u; //! job

struct Place { first: u32 }

fn axes(product: u32) -> vec4<u32> {
    return vec4<u32>(
        product / (SIZE_1 * SIZE_2 * SIZE_3) % SIZE_0,
        product / (SIZE_2 * SIZE_3) % SIZE_1,
        product / SIZE_3 % SIZE_2,
        product % SIZE_3);
}

fn sum_of(v: vec4<u32>) -> u32 { return v.x + v.y + v.z + v.w; }

fn left(product: u32, row: u32, k: u32) -> f32 {
    let matrix = sum_of(axes(product) * vec4<u32>(LEFT_0, LEFT_1, LEFT_2, LEFT_3));
    return left_values[first_left_values + matrix * (ROWS * DEPTH) + row * LEFT_ROW + k * LEFT_DEPTH];
}

fn place_of(product: u32, column: u32) -> Place {
    let matrix = sum_of(axes(product) * vec4<u32>(RIGHT_0, RIGHT_1, RIGHT_2, RIGHT_3));
    return Place(first_right_values + matrix * (DEPTH * COLUMNS) + column * RIGHT_COLUMN);
}

fn right(place: Place, k: u32) -> f32 { return right_values[place.first + k * RIGHT_DEPTH]; }

fn store(product: u32, row: u32, column: u32, sum: f32) {
    if (row < ROWS && column < COLUMNS) { finish((product * ROWS + row) * COLUMNS + column, column, sum); }
}
