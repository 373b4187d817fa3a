package com.example.mlp.kernels;

import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.kernel.KernelSource;
import java.util.Locale;

/**
 * Writes the WGSL of a dense layer, {@code y = activation(W x + b)}, for one or more inputs x ("tokens") at a time.
 *
 * <p>A product of a matrix and a vector uses each weight once, so memory sets its pace. A workgroup takes a few rows;
 * its threads walk along them side by side, so that neighbours load neighbouring bytes, and each keeps several loads in
 * flight. Every thread adds up its share in f32, and a tree in workgroup memory adds up the shares. With several tokens
 * each weight is loaded once for all tokens of a workgroup.
 *
 * <p>Sizes are written into the source, for loops that the compiler unrolls. Offsets are override constants: a uniform
 * would have to be fetched before the first weight is. Windows begin where their value does, unless that is no place
 * where a binding may begin, so layers of one size mostly share a kernel.
 *
 * @param rows of the matrix, or of the block of it that is bound
 * @param columns inputs of the layer, a multiple of 8
 * @param tokens that a workgroup computes at a time
 */
public record DenseKernel(WeightLoad format, Tuning tuning, int rows, int columns, int tokens, boolean relu) {
    /** The constants: offsets of weights (in loads), bias, inputs (in vectors) and outputs, all rows and all tokens. */
    private static final String HEAD = """
            override weights_at: u32;
            override bias_at: u32;
            override x_at: u32;
            override y_at: u32;
            override all_rows: u32;
            override all_tokens: u32;
            @group(0) @binding(0) var<storage, read> weights: array<%s>;
            @group(0) @binding(1) var<storage, read> bias: array<f32>;
            @group(0) @binding(2) var<storage, read> x: array<vec4<f32>>;
            @group(0) @binding(3) var<storage, read_write> y: array<f32>;
            var<workgroup> shares: array<f32, %d>;

            @compute @workgroup_size(%d)
            fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
            """;

    public DenseKernel {
        if (rows < 1 || columns < 8 || columns % 8 != 0 || tokens < 1) {
            throw new IllegalArgumentException("layer: expected 1 row or more, columns in multiples of 8 and 1 token or"
                    + " more, got " + rows + ", " + columns + " and " + tokens);
        }
    }

    /** Bytes of workgroup memory that it takes. */
    public int sharedBytes() {
        return tuning.threads() * outputs() * Float.BYTES;
    }

    /** Sums that a workgroup makes, and so each of its threads. */
    public int outputs() {
        return tuning.rows() * tokens;
    }

    /** How many workgroups compute a number of tokens. */
    public Workgroups workgroups(int allTokens) {
        return Workgroups.of((rows - 1) / tuning.rows() + 1, (allTokens - 1) / tokens + 1);
    }

    /**
     * What to compile for a layer. Offsets are in bytes, from the start of what is bound; those of the bias and of the
     * outputs are where the first row has its number.
     *
     * @param allRows outputs of the layer, however many rows this dispatch computes
     * @param allTokens that a dispatch computes
     */
    public KernelSource source(long weights, long bias, long x, long y, int allRows, int allTokens) {
        return KernelSource.of("dense " + rows + "x" + columns + " " + format + " " + tuning + " t" + tokens, wgsl())
                .withConstant("weights_at", weights / format.bytesPerLoad())
                .withConstant("bias_at", bias / Float.BYTES)
                .withConstant("x_at", x / (4 * Float.BYTES))
                .withConstant("y_at", y / Float.BYTES)
                .withConstant("all_rows", allRows)
                .withConstant("all_tokens", allTokens);
    }

    private String wgsl() {
        StringBuilder code = new StringBuilder(format.needsShaderF16() ? "enable f16;\n" : "");
        code.append(
                String.format(Locale.ROOT, HEAD, format.type(), tuning.threads() * outputs(), tuning.threads()));
        line(code, "let row = group.x * %du;", tuning.rows());
        line(code, "let token = group.y * %du;", tokens);
        int units = columns / format.columns();
        for (int r = 0; r < tuning.rows(); r++) {
            line(code, "var w%d = weights_at + %s * %du + lane;", r, row(r), units);
        }
        for (int b = 0; b < tokens; b++) {
            line(
                    code,
                    "var x%d = x_at + min(token + %du, all_tokens - 1u) * %du + lane * %du;",
                    b,
                    b,
                    columns / 4,
                    format.columns() / 4);
        }
        for (int r = 0; r < tuning.rows(); r++) {
            for (int b = 0; b < tokens; b++) {
                line(code, "var s%d_%d = %s;", r, b, hasVectorSums() ? "vec4<f32>()" : "0.0");
            }
        }
        // loaded early, so that no thread waits for it at the end
        line(code, "let first_bias = bias[bias_at + min(row + lane / %du, %du)];", tokens, rows - 1);
        sums(code, units);
        tree(code);
        outputs(code);
        return code.append("}\n").toString();
    }

    /** The row's number; the last workgroup may have rows too many, which compute the last row again. */
    private String row(int r) {
        String plain = r == 0 ? "row" : "(row + " + r + "u)";
        return rows % tuning.rows() == 0 || r == 0 ? plain : "min(" + plain + ", " + (rows - 1) + "u)";
    }

    /** Few sums are vectors, so that additions need not wait for each other; many are scalars, to save registers. */
    private boolean hasVectorSums() {
        return outputs() <= 4;
    }

    private void sums(StringBuilder code, int units) {
        int step = tuning.threads() * tuning.loads();
        int full = units / step;
        if (full > 1) {
            line(code, "for (var i = 0u; i < %du; i++) {", full);
        }
        if (full > 0) {
            block(code, tuning.loads());
        }
        if (full > 1 || (full == 1 && units > step)) {
            for (int r = 0; r < tuning.rows(); r++) {
                line(code, "w%d += %du;", r, step);
            }
            for (int b = 0; b < tokens; b++) {
                line(code, "x%d += %du;", b, step * (format.columns() / 4));
            }
        }
        if (full > 1) {
            line(code, "}");
        }
        int left = units - full * step;
        int whole = left / tuning.threads();
        if (whole > 0) {
            line(code, "{");
            block(code, whole);
            line(code, "}");
        }
        if (left > whole * tuning.threads()) {
            line(code, "if (lane < %du) {", left - whole * tuning.threads());
            for (int r = 0; r < tuning.rows(); r++) {
                line(code, "w%d += %du;", r, whole * tuning.threads());
            }
            for (int b = 0; b < tokens; b++) {
                line(code, "x%d += %du;", b, whole * tuning.threads() * (format.columns() / 4));
            }
            block(code, 1);
            line(code, "}");
        }
    }

    /** Loads first, sums then: the compiler keeps the loads together and waits for them once. */
    private void block(StringBuilder code, int loads) {
        for (int l = 0; l < loads; l++) {
            for (int r = 0; r < tuning.rows(); r++) {
                line(code, "let v%d_%d = weights[w%d + %du];", r, l, r, l * tuning.threads());
            }
        }
        int vectors = format.columns() / 4;
        for (int l = 0; l < loads; l++) {
            for (int v = 0; v < vectors; v++) {
                for (int b = 0; b < tokens; b++) {
                    line(
                            code,
                            "let i%d_%d_%d = x[x%d + %du];",
                            b,
                            l,
                            v,
                            b,
                            l * tuning.threads() * vectors + v);
                }
                for (int r = 0; r < tuning.rows(); r++) {
                    String four = format.four("v" + r + "_" + l, 4 * v);
                    for (int b = 0; b < tokens; b++) {
                        String input = "i" + b + "_" + l + "_" + v;
                        if (hasVectorSums()) {
                            line(code, "s%d_%d = fma(%s, %s, s%d_%d);", r, b, four, input, r, b);
                        } else {
                            line(code, "s%d_%d += dot(%s, %s);", r, b, four, input);
                        }
                    }
                }
            }
        }
    }

    private void tree(StringBuilder code) {
        int threads = tuning.threads();
        for (int r = 0; r < tuning.rows(); r++) {
            for (int b = 0; b < tokens; b++) {
                String sum = "s" + r + "_" + b;
                line(
                        code,
                        "shares[lane + %du] = %s;",
                        (r * tokens + b) * threads,
                        hasVectorSums() ? "(" + sum + ".x + " + sum + ".y) + (" + sum + ".z + " + sum + ".w)" : sum);
            }
        }
        line(code, "workgroupBarrier();");
        for (int half = threads / 2; half > 0; half /= 2) {
            line(code, "if (lane < %du) {", half);
            for (int out = 0; out < outputs(); out++) {
                line(code, "shares[lane + %du] += shares[lane + %du];", out * threads, out * threads + half);
            }
            line(code, "}");
            line(code, "workgroupBarrier();");
        }
    }

    private void outputs(StringBuilder code) {
        line(code, "for (var out = lane; out < %du; out += %du) {", outputs(), tuning.threads());
        line(code, "let r = row + out / %du;", tokens);
        line(code, "let t = token + out %% %du;", tokens);
        line(code, "if (r < %du && t < all_tokens) {", rows);
        String bias = outputs() <= tuning.threads() ? "first_bias" : "bias[bias_at + r]";
        line(code, "let sum = shares[out * %du] + %s;", tuning.threads(), bias);
        line(code, "y[y_at + t * all_rows + r] = %s;", relu ? "max(sum, 0.0)" : "sum");
        line(code, "}");
        line(code, "}");
    }

    private static void line(StringBuilder code, String form, Object... words) {
        code.append("    ").append(String.format(Locale.ROOT, form, words)).append('\n');
    }
}
