package com.example.mlp.learn;

import com.example.mlp.graph.Dense;
import com.example.mlp.graph.Network;
import com.example.mlp.graph.Weights;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Learns weights on the host: mean squared error, backpropagation, and the optimiser Adam with its rate falling to 0.
 *
 * <p>Source: D. P. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization", 2015, algorithm 1.
 */
public final class Training {
    private static final int BATCH = 32;
    private static final double RATE = 0.003;
    private static final double FIRST_DECAY = 0.9;
    private static final double SECOND_DECAY = 0.999;
    private static final double TINY = 1e-8;

    private final Network network;
    private final Weights weights;
    private final List<float[]> values = new ArrayList<>();
    private final List<float[]> errors = new ArrayList<>();
    private final List<Adam> optimisers = new ArrayList<>();

    private Training(Network network, Weights weights) {
        this.network = network;
        this.weights = weights;
        values.add(new float[BATCH * network.inputs()]);
        errors.add(new float[0]); // the error of the input is not used
        for (int l = 0; l < network.layers().size(); l++) {
            int outputs = network.layers().get(l).outputs();
            values.add(new float[BATCH * outputs]);
            errors.add(new float[BATCH * outputs]);
            optimisers.add(new Adam(weights.matrices().get(l)));
            optimisers.add(new Adam(weights.biases().get(l)));
        }
    }

    /** Learns the arm in a number of steps. */
    public static Weights learn(Network network, int steps, long seed) {
        Weights weights = Weights.random(network, seed);
        Training training = new Training(network, weights);
        SplittableRandom random = new SplittableRandom(seed + 1);
        float[] wanted = new float[BATCH * network.outputs()];
        for (int step = 1; step <= steps; step++) {
            Arm.turn(training.values.getFirst(), random);
            Arm.tips(training.values.getFirst(), wanted);
            training.step(wanted, step, RATE * (steps - step + 1) / steps);
        }
        return weights;
    }

    private void step(float[] wanted, int step, double rate) {
        int count = network.layers().size();
        for (int l = 0; l < count; l++) {
            forward(l);
        }
        float[] made = values.getLast();
        float[] error = errors.getLast();
        for (int i = 0; i < made.length; i++) {
            error[i] = 2 * (made[i] - wanted[i]) / made.length;
        }
        for (int l = count - 1; l >= 0; l--) {
            backward(l, step, rate);
        }
    }

    private void forward(int l) {
        Dense layer = network.layers().get(l);
        float[] matrix = weights.matrices().get(l);
        float[] bias = weights.biases().get(l);
        float[] x = values.get(l);
        float[] y = values.get(l + 1);
        for (int b = 0; b < BATCH; b++) {
            for (int r = 0; r < layer.outputs(); r++) {
                float sum = bias[r];
                for (int c = 0; c < layer.inputs(); c++) {
                    sum += matrix[r * layer.inputs() + c] * x[b * layer.inputs() + c];
                }
                y[b * layer.outputs() + r] = layer.relu() ? Math.max(sum, 0) : sum;
            }
        }
    }

    private void backward(int l, int step, double rate) {
        Dense layer = network.layers().get(l);
        int inputs = layer.inputs();
        int outputs = layer.outputs();
        float[] matrix = weights.matrices().get(l);
        float[] x = values.get(l);
        float[] y = values.get(l + 1);
        float[] error = errors.get(l + 1);
        float[] errorBefore = errors.get(l);
        float[] slopes = new float[matrix.length];
        float[] biasSlopes = new float[outputs];
        Arrays.fill(errorBefore, 0);
        for (int b = 0; b < BATCH; b++) {
            for (int r = 0; r < outputs; r++) {
                int at = b * outputs + r;
                float e = layer.relu() && y[at] <= 0 ? 0 : error[at];
                if (e != 0) {
                    biasSlopes[r] += e;
                    for (int c = 0; c < inputs; c++) {
                        slopes[r * inputs + c] += e * x[b * inputs + c];
                    }
                    if (l > 0) {
                        for (int c = 0; c < inputs; c++) {
                            errorBefore[b * inputs + c] += e * matrix[r * inputs + c];
                        }
                    }
                }
            }
        }
        optimisers.get(2 * l).step(slopes, step, rate);
        optimisers.get(2 * l + 1).step(biasSlopes, step, rate);
    }

    /** The running means of one array's slopes. */
    private static final class Adam {
        private final float[] numbers;
        private final double[] means;
        private final double[] squares;

        Adam(float[] numbers) {
            this.numbers = numbers;
            this.means = new double[numbers.length];
            this.squares = new double[numbers.length];
        }

        void step(float[] slopes, int step, double rate) {
            double first = 1 - Math.pow(FIRST_DECAY, step);
            double second = 1 - Math.pow(SECOND_DECAY, step);
            for (int i = 0; i < numbers.length; i++) {
                means[i] += (1 - FIRST_DECAY) * (slopes[i] - means[i]);
                squares[i] += (1 - SECOND_DECAY) * ((double) slopes[i] * slopes[i] - squares[i]);
                numbers[i] -= (float) (rate * means[i] / first / (Math.sqrt(squares[i] / second) + TINY));
            }
        }
    }
}
