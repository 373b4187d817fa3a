package io.devicearena.rules;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What each package may use, the map of docs/architecture.md as a table; and how large each module may be.
 *
 * <p>A row is a package below {@code io.devicearena} ({@code .} is that package itself) and what it may use apart from
 * itself, the JDK and JSpecify: other rows, and with a {@code +} a package from outside. A row may also be one class: a
 * front door, which may use more than the package that it stands in.
 */
final class Layers {
    private static final String TABLE = """
            .                                  :
            cast                               : .
            spi.memory                         : .
            spi.observation                    : . spi.memory
            spi                                : . cast spi.memory spi.observation
            kernel                             : .
            discovery                          : . spi

            diagnostics                        : . spi.memory spi.observation diagnostics.internal.tracking
            diagnostics.internal               : . spi spi.memory spi.observation diagnostics.internal.checks diagnostics.internal.events diagnostics.internal.tracking
            diagnostics.internal.checks        : . spi.memory spi.observation
            diagnostics.internal.events        : . spi.memory spi.observation diagnostics.internal.tracking
            diagnostics.internal.tracking      : . spi spi.memory spi.observation

            plan                               : . plan.size plan.internal.graph plan.internal.recording plan.internal.sharing plan.internal.schedule plan.placement plan.strategy
            plan.size                          :
            plan.text                          : . plan
            plan.validation                    : . plan plan.size
            plan.internal.graph                : . plan.size
            plan.internal.recording            :
            plan.internal.sharing              : . plan.size plan.internal.graph plan.internal.live
            plan.internal.schedule             : . plan.internal.graph plan.internal.live plan.internal.sharing
            plan.placement                     :
            plan.internal.live                 : plan.placement
            plan.internal.overlap              : plan.internal.live
            plan.internal.greedy               : plan.internal.live plan.internal.overlap
            plan.internal.skyline              : plan.internal.live
            plan.internal.ejection             : plan.internal.live plan.internal.overlap
            plan.internal.exact                : plan.internal.live
            plan.strategy                      : plan.placement plan.internal.live plan.internal.greedy plan.internal.skyline plan.internal.ejection
            plan.optimal                       : plan.placement plan.strategy plan.internal.live plan.internal.ejection plan.internal.exact

            weights                            : . discovery weights.tensor weights.reader weights.internal.header weights.internal.gguf weights.internal.safetensors weights.internal.loading
            weights.tensor                     : . cast
            weights.reader                     : weights.tensor
            weights.internal.header            : weights.reader weights.tensor
            weights.internal.safetensors       : weights.tensor weights.reader weights.internal.header +com.fasterxml.jackson
            weights.internal.gguf              : weights.tensor weights.reader weights.internal.header
            weights.internal.loading           : . cast weights.tensor

            onnx.graph                         : . plan plan.size weights weights.tensor
            onnx                               : . plan plan.size onnx.graph weights weights.tensor weights.reader onnx.internal.graph onnx.internal.onnxruntime onnx.internal.proto onnx.internal.tensors onnx.internal.wire
            onnx.internal.proto                : +com.google.protobuf
            onnx.internal.wire                 : weights.tensor weights.reader onnx.internal.proto +com.google.protobuf
            onnx.internal.tensors              : weights.tensor weights.reader onnx.graph onnx.internal.proto onnx.internal.wire +com.google.protobuf
            onnx.internal.graph                : . plan plan.size weights.tensor onnx.graph onnx.internal.proto onnx.internal.tensors +com.google.protobuf
            onnx.internal.onnxruntime          : weights.tensor onnx.internal.graph onnx.internal.proto onnx.internal.tensors +ai.onnxruntime +com.google.protobuf

            cpu                                : . cast spi spi.memory +com.sun.management

            cuda                               : . spi cuda.internal.arena cuda.internal.compute cuda.internal.device cuda.internal.transfer cuda.kernel
            cuda.kernel                        : kernel
            cuda.internal.compute              : . kernel spi spi.memory spi.observation cuda.internal.arena cuda.internal.device cuda.internal.driver cuda.internal.transfer cuda.kernel
            cuda.internal.arena                : . spi spi.memory cuda.internal.device cuda.internal.driver cuda.internal.transfer
            cuda.internal.transfer             : . cast spi spi.memory cuda.internal.device cuda.internal.driver
            cuda.internal.device               : . spi cuda.internal.driver
            cuda.internal.driver               : . spi

            wgpu                               : . spi spi.observation spi.memory kernel wgpu.kernel wgpu.internal.arena wgpu.internal.compute wgpu.internal.device wgpu.internal.gpu wgpu.internal.loading wgpu.internal.transfer
            wgpu.kernel                        : . kernel
            wgpu.natives                       :
            wgpu.internal.device               : . spi wgpu.internal.gpu wgpu.internal.loading wgpu.internal.logging wgpu.internal.transfer wgpu.ffi wgpu.internal.lifetime kernel wgpu.kernel
            wgpu.internal.compute              : . spi spi.observation spi.memory kernel wgpu.kernel wgpu.internal.arena wgpu.internal.builtin wgpu.internal.gpu wgpu.internal.transfer wgpu.internal.wgsl wgpu.internal.events wgpu.internal.raw wgpu.internal.lifetime
            wgpu.internal.events               :
            wgpu.internal.lifetime             :
            wgpu.internal.logging              : wgpu.ffi wgpu.internal.raw
            wgpu.internal.arena                : . spi spi.observation spi.memory wgpu.ffi wgpu.internal.device wgpu.internal.gpu wgpu.internal.transfer wgpu.internal.lifetime kernel wgpu.kernel
            wgpu.internal.transfer             : . cast spi.memory wgpu.ffi wgpu.internal.builtin wgpu.internal.events wgpu.internal.gpu wgpu.internal.raw kernel wgpu.kernel
            wgpu.internal.wgsl                 : kernel wgpu.kernel
            wgpu.internal.builtin              : wgpu.ffi wgpu.internal.gpu kernel wgpu.kernel
            wgpu.internal.gpu                  : . wgpu.ffi wgpu.internal.events wgpu.internal.logging wgpu.internal.raw kernel wgpu.kernel
            wgpu.internal.raw                  : wgpu.ffi
            wgpu.internal.loading              : spi wgpu.ffi wgpu.natives
            wgpu.ffi                           :

            kernels                            : . kernel cuda.kernel wgpu.kernel
            kernels.activation                 : . kernel wgpu.kernel kernels kernels.step
            kernels.attention                  : . kernel wgpu.kernel kernels kernels.step kernels.tile
            kernels.catalog                    : . kernel wgpu.kernel kernels kernels.activation kernels.attention kernels.convolution kernels.elementwise kernels.linear kernels.matrix kernels.norm kernels.product kernels.reduction kernels.sampling kernels.shape weights.tensor
            kernels.convolution                : . kernels kernels.elementwise kernels.product kernels.shape kernels.step kernels.tile
            kernels.elementwise                : . kernels kernels.shape kernels.step
            kernels.host                       : . kernels spi
            kernels.linear                     : . kernel wgpu.kernel kernels kernels.activation kernels.elementwise kernels.matrix kernels.step weights.tensor
            kernels.matrix                     : . kernel wgpu.kernel kernels kernels.activation kernels.packed kernels.step weights.tensor
            kernels.norm                       : . kernel wgpu.kernel kernels kernels.elementwise kernels.step
            kernels.packed                     : kernels.step weights.tensor
            kernels.product                    : . kernel wgpu.kernel kernels kernels.elementwise kernels.step kernels.tile
            kernels.reduction                  : . kernels kernels.elementwise kernels.step
            kernels.sampling                   : . kernel wgpu.kernel kernels kernels.step
            kernels.shape                      : . wgpu.kernel kernels kernels.step
            kernels.step                       : . kernel cuda.kernel wgpu.kernel kernels
            kernels.tile                       : . kernel kernels kernels.elementwise kernels.shape kernels.step

            conformance                        : . spi conformance.junit conformance.topics +org.junit +org.opentest4j
            conformance.topics                 : . cast diagnostics spi spi.observation conformance.calls conformance.junit conformance.oracle conformance.sequence +org.junit +org.opentest4j +com.sun.management
            conformance.sequence               : . conformance.oracle +org.opentest4j
            conformance.calls                  : . diagnostics spi spi.memory spi.observation conformance.oracle +org.junit +org.opentest4j
            conformance.oracle                 : . spi +org.junit +org.opentest4j
            conformance.junit                  : . spi +org.junit +org.opentest4j
            conformance.runner                 : . discovery spi conformance conformance.junit conformance.topics +org.junit

            cli                                : . diagnostics discovery kernels.catalog spi plan plan.size plan.optimal plan.placement plan.strategy plan.text plan.validation conformance.runner weights weights.tensor onnx onnx.graph cli.input cli.json cli.message cli.output cli.replay cli.trace +picocli
            cli.input                          : . spi plan plan.size plan.text plan.validation weights weights.reader weights.tensor onnx onnx.graph cli.message +com.fasterxml.jackson
            cli.output                         : . diagnostics discovery spi plan plan.size plan.text plan.validation conformance.junit conformance.runner cli.input cli.json cli.message cli.planview
            cli.planview                       : . plan cli.json cli.message +com.fasterxml.jackson
            cli.replay                         : . plan cli.input cli.message
            cli.trace                          : . plan cli.input cli.json cli.message +com.fasterxml.jackson
            cli.json                           : +com.fasterxml.jackson
            cli.message                        : . discovery plan weights.tensor onnx.graph +picocli

            bench                              : . cast discovery spi plan bench.kernels bench.plans bench.soak bench.table +picocli +org.openjdk.jmh
            bench.plans                        : . discovery plan plan.text plan.optimal plan.placement plan.strategy bench.json bench.published +picocli
            bench.kernels                      : . discovery kernels kernels.attention kernels.matrix kernels.sampling weights.tensor kernel wgpu.kernel bench.json +picocli
            bench.soak                         : . discovery spi wgpu kernel wgpu.kernel bench.json +picocli
            bench.published                    : plan.placement
            bench.table                        : . discovery bench.json +com.sun.management
            bench.json                         : +com.fasterxml.jackson
            """;

    /** The most lines of code that each module may have: what it had when the line was last changed, and 2 %. */
    private static final String BUDGETS = """
            arena-api          : 4600
            arena-bench        : 3850
            arena-cli          : 6420
            arena-conformance  : 8260
            arena-cpu          : 173
            arena-cuda         : 3650
            arena-diagnostics  : 2268
            arena-kernels      : 9940
            arena-onnx         : 3800
            arena-planner      : 7343
            arena-weights      : 2867
            arena-wgpu         : 9880
            """;

    private static final List<String> ALWAYS_ALLOWED = List.of("java.", "javax.", "jdk.", "org.jspecify.");
    private static final Map<String, List<String>> ROWS = rows();

    private Layers() {}

    private static Map<String, List<String>> rows() {
        Map<String, List<String>> rows = new TreeMap<>();
        split(TABLE)
                .forEach(row -> rows.put(
                        row[0],
                        Arrays.stream(row[1].split(" "))
                                .filter(name -> !name.isEmpty())
                                .toList()));
        return rows;
    }

    private static Stream<String[]> split(String table) {
        return table.lines().filter(line -> !line.isBlank()).map(line -> line.split(" *: *", 2));
    }

    static Map<String, List<String>> table() {
        return ROWS;
    }

    static Map<String, Integer> budgets() {
        return split(BUDGETS).collect(Collectors.toMap(row -> row[0], row -> Integer.valueOf(row[1])));
    }

    /** Modules that have more lines of code than their budget, one line each. */
    static List<String> overBudget(Map<String, Integer> linesOfCode) {
        Map<String, Integer> budgets = budgets();
        return Stream.concat(linesOfCode.keySet().stream(), budgets.keySet().stream())
                .sorted()
                .distinct()
                .flatMap(module -> overBudget(module, linesOfCode.get(module), budgets.get(module)))
                .toList();
    }

    private static Stream<String> overBudget(String module, @Nullable Integer lines, @Nullable Integer budget) {
        if (lines == null) {
            return Stream.of(module + ": expected a module with main sources, got none; remove its line from Layers");
        }
        if (budget == null) {
            return Stream.of(module + ": expected a budget in Layers, got none");
        }
        return lines <= budget
                ? Stream.empty()
                : Stream.of(module + ": expected at most " + budget + " lines of code, got " + lines
                        + "; remove some, or raise the budget in Layers. A commit that raises a budget says why in its"
                        + " body; one that lowers it needs no reason");
    }

    /** The row of a class: its own, or that of its package, which the table may lack. */
    static String rowOf(JavaClass type) {
        String name = belowRoot(type.getName().replaceFirst("\\$.*", ""));
        return ROWS.containsKey(name) ? name : belowRoot(type.getPackageName());
    }

    private static String belowRoot(String name) {
        return name.equals(OurClasses.ROOT) ? "." : name.substring(OurClasses.ROOT.length() + 1);
    }

    /** What a class uses and its row does not allow, one line each. */
    static Stream<String> violations(JavaClass type) {
        String row = rowOf(type);
        List<String> allowed = ROWS.get(row);
        if (allowed == null) {
            return Stream.of("package '" + row + "': expected a row in Layers, got none");
        }
        return type.getDirectDependenciesFromSelf().stream()
                .filter(use -> !isAllowed(row, allowed, use))
                .map(use -> type.getName() + " in row '" + row + "' uses "
                        + use.getTargetClass().getBaseComponentType().getName())
                .distinct();
    }

    private static boolean isAllowed(String row, List<String> allowed, Dependency use) {
        JavaClass target = use.getTargetClass().getBaseComponentType();
        String name = target.getName();
        if (name.startsWith(OurClasses.ROOT + ".")) {
            String targetRow = rowOf(target);
            return targetRow.equals(row) || allowed.contains(targetRow);
        }
        return target.isPrimitive()
                || ALWAYS_ALLOWED.stream().anyMatch(name::startsWith)
                || allowed.stream()
                        .anyMatch(token -> token.startsWith("+") && name.startsWith(token.substring(1) + "."));
    }
}
