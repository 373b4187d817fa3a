@group(0) @binding(4) var<storage, read> product: array<f32>;
@group(0) @binding(5) var<storage, read> product_bias: array<f32>;
@group(0) @binding(6) var<storage, read> before: array<f32>;

fn element(row: u32, c: u32) -> f32 {
    return product[row * WIDTH + c] + (product_bias[c] + before[row * WIDTH + c]);
}
