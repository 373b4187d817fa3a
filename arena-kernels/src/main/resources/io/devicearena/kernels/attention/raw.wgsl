/* A head, before it is rotated. */
var<workgroup> raw: array<vec4<f32>, 64>;
