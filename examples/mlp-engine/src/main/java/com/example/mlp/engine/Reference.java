package com.example.mlp.engine;

import com.example.mlp.graph.Dense;
import com.example.mlp.graph.Network;
import com.example.mlp.graph.Weights;

/**
 * What a network's outputs are in exact arithmetic with the weights that an engine uses, which are exactly known in
 * either precision, and how far a correct engine may be away from them.
 *
 * <p>The bound is carried along, value by value. An f32 dot product of n terms in any order, fused or not, is off by at
 * most γ(n) Σ|w||x| with γ(n) = n u / (1 - n u) and u = 2⁻²⁴ (N. J. Higham, Accuracy and Stability of Numerical
 * Algorithms, second edition, section 3.1); the bias is one more term. The inputs of a layer are already off by what
 * the layer before left, which |w| carries on. WGSL lets devices take numbers below the least normal one for 0 (section
 * 15.7.2), so each f32 term may be off by the least normal number, and such an f16 weight by all of it. ReLU brings
 * nothing further apart, and makes 0 exactly of what is surely negative. The f64 arithmetic used here is 2²⁹ times
 * finer.
 */
public final class Reference {
    private static final double UNIT = 0x1p-24;
    private static final float LEAST_NORMAL_HALF = 0x1p-14f;

    private final double[] values;
    private final double[] bounds;

    private Reference(double[] values, double[] bounds) {
        this.values = values;
        this.bounds = bounds;
    }

    /** Runs a network forward in f64, for a batch of inputs. */
    public static Reference forward(Network network, Weights weights, float[] x, Precision precision) {
        int batch = x.length / network.inputs();
        Reference at = new Reference(new double[x.length], new double[x.length]);
        for (int i = 0; i < x.length; i++) {
            at.values[i] = x[i];
        }
        for (int l = 0; l < network.layers().size(); l++) {
            at = at.through(
                    network.layers().get(l),
                    weights.matrices().get(l),
                    weights.biases().get(l),
                    batch,
                    precision);
        }
        return at;
    }

    private Reference through(Dense layer, float[] matrix, float[] bias, int batch, Precision precision) {
        Reference next = new Reference(new double[batch * layer.outputs()], new double[batch * layer.outputs()]);
        int terms = layer.inputs() + 1;
        double gamma = terms * UNIT / (1 - terms * UNIT);
        for (int b = 0; b < batch; b++) {
            for (int r = 0; r < layer.outputs(); r++) {
                double sum = bias[r];
                double magnitude = Math.abs(bias[r]);
                double carried = 0;
                for (int c = 0; c < layer.inputs(); c++) {
                    double weight = precision.of(matrix[r * layer.inputs() + c]);
                    double value = values[b * layer.inputs() + c];
                    double bound = bounds[b * layer.inputs() + c];
                    double lost = precision == Precision.F16 && Math.abs(weight) < LEAST_NORMAL_HALF
                            ? Math.abs(weight)
                            : 0;
                    sum += weight * value;
                    magnitude += Math.abs(weight) * (Math.abs(value) + bound);
                    carried += Math.abs(weight) * bound + lost * (Math.abs(value) + bound);
                }
                int at = b * layer.outputs() + r;
                double bound = carried + gamma * magnitude + terms * (double) Float.MIN_NORMAL;
                boolean surelyZero = layer.relu() && sum + bound <= 0;
                next.values[at] = layer.relu() ? Math.max(sum, 0) : sum;
                next.bounds[at] = surelyZero ? 0 : bound;
            }
        }
        return next;
    }

    /** How far outputs may be away, the largest of all. */
    public double bound() {
        double most = 0;
        for (double bound : bounds) {
            most = Math.max(most, bound);
        }
        return most;
    }

    /** How far an engine's outputs are away, the largest of all. */
    public double error(float[] y) {
        double most = 0;
        for (int i = 0; i < y.length; i++) {
            most = Math.max(most, Math.abs(y[i] - values[i]));
        }
        return most;
    }

    /** Whether each output of an engine is as near as a correct engine's must be; NaN is not. */
    public boolean explains(float[] y) {
        for (int i = 0; i < y.length; i++) {
            if (!(Math.abs(y[i] - values[i]) <= bounds[i])) {
                return false;
            }
        }
        return y.length == values.length;
    }
}
