package io.devicearena.kernels.step;

import static java.util.Objects.requireNonNull;

import io.devicearena.NodeId;
import io.devicearena.kernel.Binding;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.KernelText.Assembled;
import io.devicearena.wgpu.kernel.KernelFacts;
import io.devicearena.wgpu.kernel.KernelSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A kernel of a step: its text, and what its variables are bound to.
 *
 * <p>A value that begins behind the start of its window needs a constant {@code first_NAME} of the kernel, for the
 * variable {@code NAME}: the number of the value's first word of 4 bytes. If all values begin with their windows, these
 * numbers are constants of the text, and the kernel need not wait for them; else they are in a uniform, so that layers
 * of equal dimensions share a kernel.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class StepKernel {
    /** Where vectors of 16 bytes can begin. */
    private static final int VECTOR_BYTES = 16;

    private static final int MOST_SUBGROUP = 128;

    private static final int WORKGROUP = 256;

    private final StepRecorder device;
    private final KernelText text;
    private final Map<String, Binding> bound = new HashMap<>();
    private final Map<Long, Written> written = new HashMap<>();
    private final Map<String, Shifted> shifted = new LinkedHashMap<>();
    private final Map<String, Integer> job = new HashMap<>();
    private int alignmentBytes = VECTOR_BYTES;
    private boolean isUniform;

    /** A variable that is written, and the bytes from its value's begin to the end of its window. */
    private record Written(String name, long bytes) {}

    /** A value that begins behind the start of its window, in bytes. */
    private record Shifted(NodeId id, long offset) {}

    private StepKernel(StepRecorder device, KernelText text) {
        this.device = device;
        this.text = text;
    }

    /**
     * Begins a kernel.
     *
     * @param device where the step is recorded
     * @param file the kernel's own file, as for {@link KernelText#of}
     * @return a kernel without bindings
     */
    public static StepKernel of(StepRecorder device, String file) {
        return new StepKernel(device, KernelText.of(file));
    }

    /**
     * Returns the size of all subgroups of a device.
     *
     * @param facts what the device can do
     * @return the fixed subgroup size, 4 to 128; 0 if it is not fixed
     */
    public static int subgroupSize(KernelFacts facts) {
        int size = facts.minSubgroupSize() == facts.maxSubgroupSize() ? facts.minSubgroupSize() : 0;
        return facts.hasSubgroups() && size >= 4 && size <= MOST_SUBGROUP ? size : 0;
    }

    /**
     * Uses subgroups for sums of neighbours, if they have a size: in kernels with the slot {@code LANES}.
     *
     * @param subgroup the size of subgroups; 0: sum through workgroup memory
     * @return this kernel
     */
    public StepKernel lanes(int subgroup) {
        return subgroup == 0
                ? this
                : use("LANE_SUMS", "step/lanes-in-subgroups").set("SUBGROUP", subgroup);
    }

    /**
     * Chooses the file for a slot.
     *
     * @param slot of a file
     * @param chosen the file
     * @return this kernel
     */
    public StepKernel use(String slot, String chosen) {
        text.use(slot, chosen);
        return this;
    }

    /**
     * Gives a slot a text that the step makes, as {@link KernelText#part}.
     *
     * @param slot of a file
     * @param wgsl its lines
     * @return this kernel
     */
    public StepKernel part(String slot, String wgsl) {
        text.part(slot, wgsl);
        return this;
    }

    /**
     * Lets values begin at any word of 4 bytes: the kernel has no vectors.
     *
     * @return this kernel
     */
    public StepKernel ofWords() {
        alignmentBytes = Integer.BYTES;
        return this;
    }

    /**
     * Sets a module constant that is a u32.
     *
     * @param number its name
     * @param value 0 or more
     * @return this kernel
     */
    public StepKernel set(String number, long value) {
        return set(number, (double) value);
    }

    /**
     * Sets a module constant that is an f32.
     *
     * @param number its name
     * @param value a value of its type
     * @return this kernel
     */
    public StepKernel set(String number, double value) {
        text.set(number, value);
        return this;
    }

    /**
     * Sets a number of the job.
     *
     * @param number its name
     * @param value what it is; for {@code first_NAME} what is added to the number of the first word
     * @return this kernel
     */
    public StepKernel job(String number, int value) {
        job.put(number, value);
        return this;
    }

    /**
     * Keeps the job in a uniform, for steps whose jobs differ from run to run.
     *
     * @return this kernel
     */
    public StepKernel uniformJob() {
        isUniform = true;
        return this;
    }

    /**
     * Binds a value that the kernel writes. A value whose bytes are written under another name already has that
     * variable.
     *
     * @param name of the variable
     * @param id the value
     * @param bytes the bytes that the kernel uses, 1 or more
     * @return this kernel
     * @throws IllegalArgumentException if the value has no slot, or one that is too small
     */
    public StepKernel write(String name, NodeId id, long bytes) {
        read(name, id, bytes);
        Window window = device.kernels().window(id);
        long available = window.bytes() - window.offsetOf(id);
        written.putIfAbsent(device.firstByte(id), new Written(name, available));
        return this;
    }

    /**
     * Binds a value that the kernel reads. A value whose bytes the kernel writes has that variable.
     *
     * @param name of the variable
     * @param id the value
     * @param bytes the bytes that the kernel uses, 1 or more
     * @return this kernel
     * @throws IllegalArgumentException if the value has no slot, or one that is too small
     */
    public StepKernel read(String name, NodeId id, long bytes) {
        Window window = device.kernels().window(id);
        Written other = written.get(device.firstByte(id));
        read(name, id, window, window.offsetOf(id), bytes);
        if (other != null && other.bytes >= bytes) {
            bound.remove(name);
            text.alias(name, other.name);
        }
        return this;
    }

    /**
     * Binds a window of a value that the kernel does not write.
     *
     * @param name of the variable
     * @param id the value
     * @param window the window
     * @param offset where what the kernel uses begins in the window, in bytes
     * @param bytes the bytes that the kernel uses, 1 or more
     * @return this kernel
     * @throws IllegalArgumentException if the window is too small
     */
    public StepKernel read(String name, NodeId id, Window window, long offset, long bytes) {
        if (window.bytes() - offset < bytes) {
            throw tooSmall(id, bytes, window.bytes() - offset);
        }
        if (offset != 0) {
            shifted.put(name, new Shifted(id, offset));
        }
        bound.put(name, window);
        return this;
    }

    /**
     * Binds constants.
     *
     * @param name of the variable, in read-only storage
     * @param words of 4 bytes
     * @return this kernel
     */
    public StepKernel constants(String name, int... words) {
        bound.put(name, device.kernels().uniform(words));
        return this;
    }

    /**
     * Returns the declaration of a variable of words that a kernel reads, for a text that a step makes.
     *
     * @param name of the variable
     * @return WGSL
     */
    public static String declaration(String name) {
        return "const first_" + name + ": u32 = 0u; //! job\n@group(0) @binding(0) var<storage, read> " + name
                + ": array<u32>;\n";
    }

    /**
     * Checks that a step writes another value than those that it reads.
     *
     * @param label the name of the step
     * @param out the value that it writes
     * @param inputs the values that it reads
     * @throws IllegalArgumentException if one is the output
     */
    public static void requireOther(String label, NodeId out, NodeId... inputs) {
        if (List.of(inputs).contains(requireNonNull(out, "out"))) {
            throw new IllegalArgumentException(label + ": expected another value as output than the input " + out);
        }
    }

    static IllegalArgumentException tooSmall(NodeId id, long expected, long got) {
        return new IllegalArgumentException(id + ": expected a slot of " + expected + " bytes or more, got " + got);
    }

    /**
     * Compiles the kernel and records one dispatch for elements: in workgroups of 256 invocations, each of which takes
     * an element, the one {@code STRIDE} after it and so on, below {@code ELEMENTS}.
     *
     * @param label the name of the step
     * @param elements their number, 1 or more
     * @throws IllegalArgumentException if a value does not begin where the kernel expects it
     * @throws io.devicearena.DeviceException if the device fails
     */
    public void dispatchElements(String label, long elements) {
        long groups =
                Math.min((elements + WORKGROUP - 1) / WORKGROUP, device.facts().maxWorkgroups());
        set("ELEMENTS", elements).set("STRIDE", groups * WORKGROUP).dispatch(label, Workgroups.of((int) groups));
    }

    /**
     * Compiles the kernel and records one dispatch of at least a number of workgroups. Beyond what the device allows
     * along an axis they have two: the kernel takes {@code group.x + group.y * groups.x} as the number of a workgroup,
     * and leaves out those that are too many.
     *
     * @param label the name of the step
     * @param workgroups their number, 1 or more
     * @throws IllegalArgumentException if a value does not begin where the kernel expects it
     * @throws io.devicearena.DeviceException if the device fails
     */
    public void dispatch(String label, long workgroups) {
        dispatch(label, device.folded(workgroups));
    }

    /**
     * Compiles the kernel and records one dispatch of it.
     *
     * @param label the name of the step
     * @param workgroups their number
     * @throws IllegalArgumentException if a value does not begin where the kernel expects it
     * @throws io.devicearena.DeviceException if the device fails
     */
    public void dispatch(String label, Workgroups workgroups) {
        dispatch(label, "", workgroups);
    }

    /**
     * Compiles the kernel and records one dispatch of it.
     *
     * @param label the name of the step
     * @param entryPoint the function to run
     * @param workgroups their number
     * @throws IllegalArgumentException if a value does not begin where the kernel expects it
     * @throws io.devicearena.DeviceException if the device fails
     */
    public void dispatch(String label, String entryPoint, Workgroups workgroups) {
        boolean hasUniform = isUniform || !shifted.isEmpty();
        shifted.forEach((name, value) -> job.merge("first_" + name, words(value), Integer::sum));
        if (!hasUniform) {
            job.forEach(text::set);
        }
        Assembled kernel = text.assemble(hasUniform);
        shifted.forEach((name, value) -> {
            if (!kernel.job().contains("first_" + name) || value.offset % alignmentBytes != 0) {
                throw shifted(value, kernel.job().contains("first_" + name));
            }
        });
        if (hasUniform && !kernel.job().isEmpty()) {
            int[] words = kernel.job().stream()
                    .mapToInt(name -> job.getOrDefault(name, 0))
                    .toArray();
            bound.put("job", device.kernels().uniform(words));
        }
        Bindings bindings = Bindings.none();
        for (int i = 0; i < kernel.variables().size(); i++) {
            Binding binding = bound.get(kernel.variables().get(i));
            bindings = binding == null ? bindings : bindings.with(0, i, binding);
        }
        KernelSource source = KernelSource.of(label, kernel.wgsl()).withEntryPoint(entryPoint);
        device.recorder().labelled(label).dispatch(device.kernels().compile(source), bindings, workgroups);
    }

    private static int words(Shifted value) {
        return Math.toIntExact(value.offset / Integer.BYTES);
    }

    private IllegalArgumentException shifted(Shifted value, boolean isAllowed) {
        long multiple = isAllowed ? alignmentBytes : device.facts().bindingAlignmentBytes();
        return new IllegalArgumentException(value.id + ": expected a slot at a multiple of " + multiple
                + " bytes, got one " + value.offset
                + " bytes after it; plan with the alignment of the device");
    }
}
