package com.example.llm.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The model in plain Java and f64, a token at a time: what the engine is tested against. */
final class ReferenceModel {
    private final ModelConfig config;
    private final Map<String, double[]> weights;
    private final List<List<double[]>> keys = new ArrayList<>();
    private final List<List<double[]>> values = new ArrayList<>();

    ReferenceModel(ModelConfig config, Map<String, double[]> weights) {
        this.config = config;
        this.weights = weights;
        for (int i = 0; i < config.layers(); i++) {
            keys.add(new ArrayList<>());
            values.add(new ArrayList<>());
        }
    }

    /** Adds a token to the sequence; the logits behind it. */
    double[] logits(int token) {
        int width = config.width();
        double[] table = weights.get("token_embd");
        double[] x = new double[width];
        for (int c = 0; c < width; c++) {
            x[c] = table[token * width + c] * (config.gemma() ? Math.sqrt(width) : 1);
        }
        for (int layer = 0; layer < config.layers(); layer++) {
            String name = "blk." + layer + ".";
            double[] h = norm(x, weights.get(name + "attn_norm"));
            add(x, attention(h, layer, name), weights.get(name + "post_attention_norm"));
            h = norm(x, weights.get(name + "ffn_norm"));
            double[] gate = product(name + "ffn_gate", h);
            double[] up = product(name + "ffn_up", h);
            for (int c = 0; c < gate.length; c++) {
                double g = gate[c];
                gate[c] = up[c] * (config.gemma()
                        ? 0.5 * g * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (g + 0.044715 * g * g * g)))
                        : g / (1 + Math.exp(-g)));
            }
            add(x, product(name + "ffn_down", gate), weights.get(name + "post_ffw_norm"));
        }
        return product(weights.containsKey("output") ? "output" : "token_embd", norm(x, weights.get("output_norm")));
    }

    private double[] attention(double[] h, int layer, String name) {
        int size = config.headDim();
        double[] q = product(name + "attn_q", h);
        double[] k = product(name + "attn_k", h);
        int position = keys.get(layer).size();
        turn(q, weights.get(name + "attn_q_norm"), position, layer);
        turn(k, weights.get(name + "attn_k_norm"), position, layer);
        keys.get(layer).add(k);
        values.get(layer).add(product(name + "attn_v", h));
        boolean local = config.gemma() && layer % 6 != 5;
        double[] out = new double[q.length];
        for (int head = 0; head < config.heads(); head++) {
            int kv = head * config.kvHeads() / config.heads();
            double[] scores = new double[position + 1];
            double total = 0;
            for (int p = local ? Math.max(0, position - config.window() + 1) : 0; p <= position; p++) {
                double score = 0;
                for (int c = 0; c < size; c++) {
                    score += q[head * size + c] * keys.get(layer).get(p)[kv * size + c];
                }
                scores[p] = Math.exp(score / Math.sqrt(size));
                total += scores[p];
            }
            for (int p = 0; p <= position; p++) {
                for (int c = 0; c < size; c++) {
                    out[head * size + c] += scores[p] / total * values.get(layer).get(p)[kv * size + c];
                }
            }
        }
        return product(name + "attn_output", out);
    }

    /** Norms each head if there are weights, and rotates it. */
    private void turn(double[] x, double[] norm, int position, int layer) {
        int size = config.headDim();
        boolean local = config.gemma() && layer % 6 != 5;
        double base = local ? 10_000 : config.ropeBase();
        double divisor = local ? 1 : config.ropeDivisor();
        double[] divisors = weights.get("rope_freqs");
        for (int from = 0; from < x.length; from += size) {
            double[] head = new double[size];
            System.arraycopy(x, from, head, 0, size);
            head = norm == null ? head : norm(head, norm);
            for (int i = 0; i < size / 2; i++) {
                int a = config.gemma() ? i : 2 * i;
                int b = config.gemma() ? i + size / 2 : 2 * i + 1;
                double all = divisors == null ? divisor : divisor * divisors[i];
                double angle = position * Math.pow(base, -2.0 * i / size) / all;
                x[from + a] = head[a] * Math.cos(angle) - head[b] * Math.sin(angle);
                x[from + b] = head[a] * Math.sin(angle) + head[b] * Math.cos(angle);
            }
        }
    }

    private void add(double[] x, double[] update, double[] norm) {
        double[] added = norm == null ? update : norm(update, norm);
        for (int c = 0; c < x.length; c++) {
            x[c] += added[c];
        }
    }

    private double[] norm(double[] x, double[] weight) {
        double squares = 0;
        for (double value : x) {
            squares += value * value;
        }
        double[] normed = new double[x.length];
        for (int c = 0; c < x.length; c++) {
            normed[c] = x[c] / Math.sqrt(squares / x.length + config.epsilon()) * weight[c];
        }
        return normed;
    }

    private double[] product(String name, double[] x) {
        double[] matrix = weights.get(name);
        double[] out = new double[matrix.length / x.length];
        for (int i = 0; i < matrix.length; i++) {
            out[i / x.length] += matrix[i] * x[i % x.length];
        }
        double[] bias = weights.get(name + ".bias");
        for (int r = 0; bias != null && r < out.length; r++) {
            out[r] += bias[r];
        }
        return out;
    }
}
