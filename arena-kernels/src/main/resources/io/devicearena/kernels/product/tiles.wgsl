/* A product in tiles: 8 by 8 threads compute HIGH by WIDE sums each, from operands in workgroup memory. */
//! use OPERANDS: product/matrices
//! use FINISH: elementwise/finish
const HIGH: u32 = 2u;
const WIDE: u32 = 2u;
const ROW: u32 = 0u; //! repeat HIGH
const COLUMN: u32 = 0u; //! repeat WIDE
/* What is in memory at a time of the depth: a power of two, 64 at most. */
const PART: u32 = 32u;

const SIDE = 8u;
const TILE_ROWS = SIDE * HIGH;
const TILE_COLUMNS = SIDE * WIDE;
/* One more, so that neighbours in depth are in different banks. */
const PITCH = TILE_ROWS + 1u;
var<workgroup> lefts: array<f32, PART * PITCH>;
var<workgroup> rights: array<f32, PART * TILE_COLUMNS>;

fn load_left(product: u32, row: u32, first: u32, thread: u32) {
    let k = thread % PART;
    for (var r = thread / PART; r < TILE_ROWS; r += SIDE * SIDE / PART) {
        var v = 0.0;
        if (row + r < ROWS && first + k < DEPTH) { v = left(product, row + r, first + k); }
        lefts[k * PITCH + r] = v;
    }
}

fn load_right(place: Place, column: u32, first: u32, thread: u32) {
    for (var k = thread / TILE_COLUMNS; k < PART; k += SIDE * SIDE / TILE_COLUMNS) {
        var v = 0.0;
        if (column < COLUMNS && first + k < DEPTH) { v = right(place, first + k); }
        rights[k * TILE_COLUMNS + thread % TILE_COLUMNS] = v;
    }
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let row = group.y * TILE_ROWS;
    let column = group.x * TILE_COLUMNS;
    let loaded = column + thread % TILE_COLUMNS;
    let place = place_of(group.z, loaded);
    let r = thread / SIDE;
    let c = thread % SIDE;
    var s_ROW_COLUMN = 0.0;
    for (var k = 0u; k < DEPTH; k += PART) {
        workgroupBarrier();
        load_left(group.z, row, k, thread);
        load_right(place, loaded, k, thread);
        workgroupBarrier();
        for (var j = 0u; j < PART; j++) {
            let a_ROW = lefts[j * PITCH + ROW * SIDE + r];
            let b_COLUMN = rights[j * TILE_COLUMNS + COLUMN * SIDE + c];
            s_ROW_COLUMN = fma(a_ROW, b_COLUMN, s_ROW_COLUMN);
        }
    }
    store(group.z, row + ROW * SIDE + r, column + COLUMN * SIDE + c, s_ROW_COLUMN);
}
