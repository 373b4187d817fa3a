package com.example.mlp;

import com.example.mlp.bench.KernelBench;
import java.util.List;

/** The engine's command line. */
public final class Main {
    private Main() {}

    /** Runs the bench. */
    public static void main(String[] args) {
        List<String> words = List.of(args);
        if (words.isEmpty() || !words.getFirst().equals("--bench")) {
            System.err.println("mlp-engine: expected --bench; see --bench --help");
            System.exit(2);
        }
        try {
            KernelBench.run(words.subList(1, words.size()), System.out);
        } catch (IllegalArgumentException e) {
            System.err.println("mlp-engine: " + e.getMessage());
            System.exit(2);
        }
    }
}
