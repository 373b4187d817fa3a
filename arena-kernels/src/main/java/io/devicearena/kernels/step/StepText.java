package io.devicearena.kernels.step;

import io.devicearena.wgpu.kernel.KernelFacts;
import io.devicearena.wgpu.kernel.KernelSource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Puts the text of a kernel together: its own file, and files that several kernels share.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class StepText {
    private final Class<?> owner;
    private final String file;
    private final StringBuilder text = new StringBuilder();
    private final RepeatedLines repeats = new RepeatedLines();

    private StepText(Class<?> owner, String file) {
        this.owner = owner;
        this.file = file;
    }

    /**
     * Begins the text of a kernel.
     *
     * @param owner the class beside which the file lies
     * @param file the name of the file, without {@code .wgsl}
     * @return a text without shared files
     */
    public static StepText of(Class<?> owner, String file) {
        return new StepText(owner, file);
    }

    /**
     * Adds the reductions of a workgroup: with subgroups where the device has them, else through workgroup memory. Call
     * it first, since it may begin with an {@code enable} directive.
     *
     * @param facts what the device can do
     * @return this text
     */
    public StepText withReductions(KernelFacts facts) {
        return with(facts.hasSubgroups() ? "reduce-subgroups" : "reduce-workgroup");
    }

    /**
     * Returns the size of all subgroups of a device.
     *
     * @param facts what the device can do
     * @return the fixed subgroup size, 4 to 128; 0 if it is not fixed
     */
    public static int subgroupSize(KernelFacts facts) {
        int size = facts.minSubgroupSize() == facts.maxSubgroupSize() ? facts.minSubgroupSize() : 0;
        return facts.hasSubgroups() && size >= 4 && size <= 128 ? size : 0;
    }

    /**
     * Adds sums of neighbours, see {@link #lanes}. Call it first, since it may begin with an {@code enable} directive.
     *
     * @param subgroup the size of subgroups; 0: sum through workgroup memory
     * @return this text
     */
    public StepText withLanes(int subgroup) {
        return withText(subgroup > 0 ? "enable subgroups;\n" : "").withText(lanes(subgroup));
    }

    /**
     * Returns sums of neighbours: {@code lanes_sum} of LANES of them, a power of two, and {@code all_threads} of the
     * THREADS of a workgroup. The kernel declares both numbers, and enables subgroups if they have a size.
     *
     * @param subgroup the size of subgroups; 0: sum through workgroup memory
     * @return the declarations
     */
    public static String lanes(int subgroup) {
        return subgroup > 0
                ? "const SUBGROUP = " + subgroup + "u;\n" + file(StepText.class, "lanes-in-subgroups")
                : file(StepText.class, "lanes-in-memory");
    }

    /**
     * Adds the function {@code input}, which reads the input of a step that may run in place: the value {@code y} of
     * binding 0, or a value of its own at binding 1.
     *
     * @param inPlace whether the input is the output
     * @return this text
     */
    public StepText withInput(boolean inPlace) {
        return with(inPlace ? "input-in-place" : "input-separate");
    }

    /**
     * Adds a file of this package.
     *
     * @param shared the name of the file, without {@code .wgsl}
     * @return this text
     */
    public StepText with(String shared) {
        text.append(file(StepText.class, shared)).append('\n');
        return this;
    }

    /**
     * Adds a file that lies beside the owner.
     *
     * @param part the name of the file, without {@code .wgsl}
     * @return this text
     */
    public StepText withPart(String part) {
        text.append(file(owner, part)).append('\n');
        return this;
    }

    /**
     * Ends the text with the kernel's own file.
     *
     * @param constants the values of its {@code override} constants
     * @return the source, with the name of the file as its label
     */
    public KernelSource source(Map<String, Double> constants) {
        return new KernelSource(file, text + repeated(), "", constants);
    }

    private String repeated() {
        return file(owner, file).lines().flatMap(repeats::of).collect(Collectors.joining("\n", "", "\n"));
    }

    /**
     * Repeats each line of the kernel's own file that contains a mark, see {@link RepeatedLines}.
     *
     * @param mark such as {@code #Q}
     * @param times 1 or more
     * @return this text
     */
    public StepText repeat(String mark, int times) {
        repeats.put(mark, times);
        return this;
    }

    /**
     * Adds text that is in no file.
     *
     * @param wgsl declarations
     * @return this text
     */
    public StepText withText(String wgsl) {
        text.append(wgsl);
        return this;
    }

    /**
     * Reads a file of a kernel.
     *
     * @param owner the class beside which the file lies
     * @param name the name of the file, without {@code .wgsl}
     * @return its text
     */
    public static String file(Class<?> owner, String name) {
        try (InputStream in = owner.getResourceAsStream(name + ".wgsl")) {
            if (in == null) {
                throw new AssertionError("resource " + name + ".wgsl of " + owner + " is missing from the module");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("resource " + name + ".wgsl of " + owner, e);
        }
    }
}
