package io.devicearena.rules;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What each package may use: the map of docs/architecture.md as a table.
 *
 * <p>A row is a package below {@code io.devicearena} ({@code .} is that package itself) and what it may use apart from
 * itself, the JDK and JSpecify: other rows, and with a {@code +} a package from outside. A row may also be one class: a
 * front door, which may use more than the package that it stands in.
 */
final class Layers {
    private static final String TABLE = """
            .                                  :
            cast                               : .
            checks                             : .
            spi.memory                         : .
            spi                                : . cast checks spi.memory internal.recording internal.tracking
            internal.recording                 : .
            internal.tracking                  : spi.memory internal.recording
            monitoring                         : . internal.recording internal.tracking spi.memory
            discovery                          : . spi

            plan                               : . plan.internal.graph plan.internal.recording plan.internal.sharing plan.internal.schedule plan.placement plan.strategy
            plan.text                          : . plan
            plan.validation                    : . plan
            plan.internal.graph                : .
            plan.internal.recording            :
            plan.internal.sharing              : . plan.internal.graph plan.internal.live
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

            weights                            : . weights.tensor weights.file weights.internal.file weights.internal.gguf weights.internal.safetensors weights.internal.loading
            weights.tensor                     : .
            weights.file                       : weights.tensor
            weights.internal.file              : weights.file weights.tensor
            weights.internal.safetensors       : weights.tensor weights.file weights.internal.file +com.fasterxml.jackson
            weights.internal.gguf              : weights.tensor weights.file weights.internal.file
            weights.internal.blocks            : cast weights.tensor
            weights.internal.loading           : . cast weights.tensor weights.internal.blocks

            onnx.graph                         : . plan weights.tensor
            onnx                               : . plan onnx.graph weights weights.tensor weights.file onnx.internal.graph onnx.internal.inference onnx.internal.proto onnx.internal.tensors onnx.internal.wire
            onnx.internal.proto                : +com.google.protobuf
            onnx.internal.wire                 : weights.tensor weights.file onnx.internal.proto +com.google.protobuf
            onnx.internal.tensors              : weights.tensor weights.file onnx.internal.proto onnx.internal.wire +com.google.protobuf
            onnx.internal.graph                : . plan weights.tensor onnx.graph onnx.internal.proto onnx.internal.tensors +com.google.protobuf
            onnx.internal.inference            : weights.tensor onnx.internal.graph onnx.internal.proto onnx.internal.tensors +ai.onnxruntime +com.google.protobuf

            cpu                                : . cast spi spi.memory +com.sun.management

            wgpu                               : . checks spi spi.memory wgpu.kernel wgpu.internal.arena wgpu.internal.compute wgpu.internal.device wgpu.internal.gpu wgpu.internal.loading wgpu.internal.transfer
            wgpu.kernel                        : .
            wgpu.natives                       :
            wgpu.internal.device               : . spi wgpu.internal.gpu wgpu.internal.loading wgpu.internal.logging wgpu.internal.transfer wgpu.ffi wgpu.kernel wgpu.internal.lifetime
            wgpu.internal.compute              : . checks spi spi.memory wgpu.kernel wgpu.internal.arena wgpu.internal.builtin wgpu.internal.gpu wgpu.internal.transfer wgpu.internal.wgsl wgpu.internal.events wgpu.internal.raw wgpu.internal.lifetime
            wgpu.internal.events               :
            wgpu.internal.lifetime             :
            wgpu.internal.logging              : wgpu.ffi wgpu.internal.raw
            wgpu.internal.arena                : . checks spi spi.memory wgpu.ffi wgpu.internal.device wgpu.internal.gpu wgpu.internal.transfer wgpu.kernel wgpu.internal.lifetime
            wgpu.internal.transfer             : . cast spi.memory wgpu.ffi wgpu.internal.builtin wgpu.internal.events wgpu.internal.gpu wgpu.internal.raw wgpu.kernel
            wgpu.internal.wgsl                 : wgpu.kernel
            wgpu.internal.builtin              : wgpu.ffi wgpu.internal.gpu wgpu.kernel
            wgpu.internal.gpu                  : . wgpu.ffi wgpu.internal.events wgpu.internal.logging wgpu.internal.raw wgpu.kernel
            wgpu.internal.raw                  : wgpu.ffi
            wgpu.internal.loading              : spi wgpu.ffi wgpu.natives
            wgpu.ffi                           :

            kernels                            : . wgpu.kernel
            kernels.activation                 : . wgpu.kernel kernels kernels.step
            kernels.attention                  : . wgpu.kernel kernels kernels.step
            kernels.embedding                  : . wgpu.kernel kernels kernels.matrix kernels.step
            kernels.host                       : . kernels
            kernels.linear                     : . wgpu.kernel kernels kernels.activation kernels.matrix kernels.step
            kernels.matrix                     : . cast wgpu.kernel kernels kernels.activation kernels.packed kernels.rounding kernels.step
            kernels.norm                       : . wgpu.kernel kernels kernels.step
            kernels.packed                     :
            kernels.rounding                   : . wgpu.kernel kernels kernels.step
            kernels.sampling                   : . wgpu.kernel kernels kernels.step
            kernels.step                       : . wgpu.kernel kernels

            conformance                        : . cast discovery spi conformance.data +org.junit +org.opentest4j +com.sun.management
            conformance.data                   : . +org.opentest4j
            conformance.runner                 : . discovery spi conformance +org.junit

            cli                                : . discovery monitoring spi plan plan.optimal plan.placement plan.strategy plan.text plan.validation conformance.runner weights weights.tensor onnx onnx.graph cli.input cli.message cli.output cli.replay +picocli +com.fasterxml.jackson
            cli.input                          : . spi plan plan.text plan.validation weights weights.file weights.tensor onnx onnx.graph cli.message +com.fasterxml.jackson
            cli.output                         : . discovery monitoring spi plan plan.text plan.validation conformance conformance.runner cli.input cli.message cli.planview +com.fasterxml.jackson
            cli.planview                       : . plan cli.message +com.fasterxml.jackson
            cli.replay                         : . plan cli.input cli.message
            cli.message                        : . discovery plan weights.tensor onnx.graph +picocli

            bench                              : . cast discovery spi plan bench.kernels bench.plans bench.soak bench.table +picocli +com.fasterxml.jackson +org.openjdk.jmh
            bench.plans                        : . discovery plan plan.text plan.optimal plan.placement plan.strategy bench.baseline +picocli +com.fasterxml.jackson
            bench.kernels                      : . discovery kernels kernels.attention kernels.embedding kernels.matrix kernels.rounding kernels.sampling wgpu wgpu.kernel +picocli +com.fasterxml.jackson
            bench.soak                         : . discovery spi wgpu wgpu.kernel +picocli +com.fasterxml.jackson
            bench.baseline                     : plan.placement
            bench.table                        : . discovery +com.fasterxml.jackson +com.sun.management
            """;

    private static final List<String> ALWAYS_ALLOWED = List.of("java.", "javax.", "jdk.", "org.jspecify.");
    private static final Map<String, List<String>> ROWS = rows();

    private Layers() {}

    private static Map<String, List<String>> rows() {
        Map<String, List<String>> rows = new TreeMap<>();
        TABLE.lines()
                .filter(line -> !line.isBlank())
                .map(line -> line.split(" *: *", 2))
                .forEach(row -> rows.put(
                        row[0],
                        Arrays.stream(row[1].split(" "))
                                .filter(name -> !name.isEmpty())
                                .toList()));
        return rows;
    }

    static Map<String, List<String>> table() {
        return ROWS;
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
