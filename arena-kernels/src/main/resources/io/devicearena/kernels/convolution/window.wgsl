/* Images, and the window that moves over them. */
override CHANNELS: u32 = 8u;
override HEIGHT: u32 = 16u;
override WIDTH: u32 = 16u;
override OUT_CHANNELS: u32 = 8u;
override OUT_HEIGHT: u32 = 16u;
override OUT_WIDTH: u32 = 16u;
override ELEMENTS: u32 = 2048u;
override SIZE_Y: u32 = 3u;
override SIZE_X: u32 = 3u;
override STRIDE_Y: u32 = 1u;
override STRIDE_X: u32 = 1u;
override BEFORE_Y: u32 = 1u;
override BEFORE_X: u32 = 1u;
override DILATION_Y: u32 = 1u;
override DILATION_X: u32 = 1u;

@group(0) @binding(0) var<storage, read> input: array<f32>;
const first_input: u32 = 0u; //! job

/* An element of the output. */
struct Element { image: u32, channel: u32, y: u32, x: u32 }

fn element_of(i: u32) -> Element {
    let row = i / OUT_WIDTH;
    let plane = row / OUT_HEIGHT;
    return Element(plane / OUT_CHANNELS, plane % OUT_CHANNELS, row % OUT_HEIGHT, i % OUT_WIDTH);
}

/* Numbers below 0 are large ones. */
fn is_inside(y: u32, x: u32) -> bool { return y < HEIGHT && x < WIDTH; }

fn input_at(image: u32, channel: u32, y: u32, x: u32) -> f32 {
    return input[first_input + ((image * CHANNELS + channel) * HEIGHT + y) * WIDTH + x];
}
