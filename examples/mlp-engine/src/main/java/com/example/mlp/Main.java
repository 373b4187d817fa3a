package com.example.mlp;

import com.example.mlp.bench.KernelBench;
import com.example.mlp.bench.SegmentBench;
import java.util.List;

/** The engine's command line. */
public final class Main {
    private static final String USAGE = """
            usage: mlp-engine [--batch N]     learn a network, run it on cpu and wgpu, compare; N inputs at a time, 16
                   mlp-engine --bench ...     measure the kernels; --bench --help lists the options
                   mlp-engine --segments ...  measure an arena of many segments; --segments --help lists the options""";
    private static final int USUAL_BATCH = 16;
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private Main() {}

    /** Does what the words say. */
    public static void main(String[] args) {
        List<String> words = List.of(args);
        try {
            if (!words.isEmpty() && words.getFirst().equals("--bench")) {
                KernelBench.run(words.subList(1, words.size()), System.out);
            } else if (!words.isEmpty() && words.getFirst().equals("--segments")) {
                SegmentBench.run(words.subList(1, words.size()), System.out);
            } else if (!Demonstration.run(batch(words), System.out)) {
                System.exit(FAILED);
            }
        } catch (IllegalArgumentException e) {
            System.err.println("mlp-engine: " + e.getMessage());
            System.exit(WRONG_USAGE);
        }
    }

    private static int batch(List<String> words) {
        if (words.isEmpty()) {
            return USUAL_BATCH;
        }
        try {
            if (words.size() == 2 && words.getFirst().equals("--batch") && Integer.parseInt(words.get(1)) > 0) {
                return Integer.parseInt(words.get(1));
            }
        } catch (NumberFormatException e) {
            // falls through to the message below
        }
        throw new IllegalArgumentException("expected --batch and a number of 1 or more, got " + words + "\n" + USAGE);
    }
}
