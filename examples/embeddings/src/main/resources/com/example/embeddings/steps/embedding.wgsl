@group(0) @binding(4) var<storage, read> words: array<f32>;
@group(0) @binding(5) var<storage, read> places: array<f32>;
@group(0) @binding(6) var<storage, read> types: array<f32>;
@group(0) @binding(7) var<storage, read> ids: array<u32>;

fn element(row: u32, c: u32) -> f32 {
    return words[ids[row] * WIDTH + c] + (places[row % LENGTH * WIDTH + c] + types[c]);
}
