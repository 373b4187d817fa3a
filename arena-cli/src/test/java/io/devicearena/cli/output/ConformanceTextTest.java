package io.devicearena.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.DeviceKind;
import io.devicearena.conformance.junit.Clause;
import io.devicearena.conformance.junit.ClauseResult;
import io.devicearena.conformance.junit.Outcome;
import io.devicearena.conformance.runner.ConformanceReport;
import io.devicearena.conformance.runner.DeviceResult;
import io.devicearena.conformance.runner.Environment;
import io.devicearena.conformance.runner.ProviderResult;
import io.devicearena.conformance.runner.Specification;
import io.devicearena.discovery.ProviderReport;
import io.devicearena.spi.Availability;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConformanceTextTest {
    private static final Clause SIZE = new Clause("required", 1, 1, "sizeIsPlanPlusScratch");
    private static final Clause LARGE = new Clause("stochastic", 1, 9, "offsetsPast4GiBAreExact");
    private static final Clause CLOSE = new Clause("required", 8, 2, "closeTwiceIsHarmless");
    private static final Clause SHOWN = new Clause("optional", 10, 1, "segmentCoversTheArena");

    private static ClauseResult result(Clause clause, Outcome outcome, String message) {
        return new ClauseResult(clause, outcome, message, "", Duration.ofMillis(1));
    }

    private static ProviderResult provider(String name, ClauseResult... results) {
        ArenaDevice device = new ArenaDevice(
                name,
                0,
                "the device of " + name,
                "made up",
                DeviceKind.HOST,
                200,
                new ArenaLimits(1024, "limit", 16, 1024),
                Set.of());
        return new ProviderResult(
                new ProviderReport(name, "com.example.Made", new Availability.Ready(List.of(device))),
                List.of(new DeviceResult(name, Optional.of(device), List.of(results))));
    }

    private static String text(List<String> problems, ProviderResult... providers) throws IOException {
        StringWriter text = new StringWriter();
        ConformanceReport report = new ConformanceReport(
                List.of(providers),
                problems,
                new Environment("1.0", 1, "Java", "System", 2),
                Instant.EPOCH,
                Duration.ofMillis(12_345));
        new ConformanceText(report, Specification.shipped()).print(new TextLines(text));
        return text.toString().replace(System.lineSeparator(), "\n");
    }

    @Test
    void tableHasARowForEachGroupThenFailuresAndUntestedClauses() throws IOException {
        assertThat(text(
                        List.of(),
                        provider(
                                "cpu",
                                result(SIZE, Outcome.PASSED, ""),
                                result(LARGE, Outcome.PASSED, ""),
                                result(CLOSE, Outcome.PASSED, ""),
                                result(SHOWN, Outcome.PASSED, "")),
                        provider(
                                "mine",
                                result(SIZE, Outcome.PASSED, ""),
                                result(LARGE, Outcome.LEFT_OUT, "left out: too large"),
                                result(CLOSE, Outcome.FAILED, "clause 8.2: expected nothing,\ngot \u001b[31mthis"),
                                result(SHOWN, Outcome.UNSUPPORTED, "unsupported: needs HOST_MEMORY"))))
                .isEqualTo("""
                        cpu/0: the device of cpu (made up)
                        mine/0: the device of mine (made up)

                                         cpu/0      mine/0
                         1 Geometry      2 passed   1 passed, 1 left out
                         8 Lifetime      1 passed   1 FAILED
                        10 Host memory   1 passed   1 unsupported
                           all           4 passed   1 passed, 1 FAILED, 1 unsupported, 1 left out

                        FAILED mine/0 8.2 closeTwiceIsHarmless
                            clause 8.2: expected nothing, | got \\u001b[31mthis
                        not tested mine/0 1.9
                            left out: too large
                        not tested mine/0 10.1
                            unsupported: needs HOST_MEMORY
                        does not conform: 5 passed, 1 FAILED, 1 unsupported, 1 left out in 12.3 s
                        """);
    }

    @Test
    void runWithoutTestedClausesReportsWhy() throws IOException {
        assertThat(text(List.of("required provider 'wgpu': expected one of cpu, got none")))
                .isEqualTo("""
                        PROBLEM required provider 'wgpu': expected one of cpu, got none
                        does not conform: nothing tested in 12.3 s
                        """);
    }
}
