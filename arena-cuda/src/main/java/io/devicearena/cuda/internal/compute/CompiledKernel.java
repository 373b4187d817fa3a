package io.devicearena.cuda.internal.compute;

import io.devicearena.cuda.internal.arena.Uses;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.cuda.kernel.KernelSource;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelBinding;
import io.devicearena.kernel.KernelSourceException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A kernel in a module of its own. Threads: safe for any thread. */
final class CompiledKernel implements Kernel {
    private static final Pattern LINE = Pattern.compile("line (\\d+)");
    private static final String ENTRY = ".entry";
    private static final String COMMENT = "//[^\\n]*";

    /** In brackets, with comments. */
    private static final String PARAMETERS = "\\s*\\(([^)/]*(?:(?:" + COMMENT + "|/)[^)/]*)*)\\)";

    private static final Pattern PARAMETER =
            Pattern.compile("\\.param\\s+(?:\\.align\\s+\\d+\\s+)?\\.[a-z](\\d+)[^,\\[]*(?:\\[(\\d+)\\])?");
    private static final int BITS = 8;

    /** Compute capability 9.0. */
    private static final int EARLIEST_WITH_EARLY_START = 90;

    final CudaKernels owner;
    final KernelSource source;
    final long function;
    private final List<KernelBinding> bindings = new ArrayList<>();
    /** The bytes of each parameter, where the text says; none for a binary. */
    private final List<Long> sizes;

    final Uses uses;
    /** Whether the device can start it while the kernel in front of it ends. */
    final boolean isEarlyAllowed;

    CompiledKernel(CudaKernels owner, KernelSource source) {
        this.owner = owner;
        this.source = source;
        byte[] image = source.image();
        this.sizes = sizes(image, source.entryPoint());
        int declared = source.parameters().size();
        if (!sizes.isEmpty() && sizes.size() != declared) {
            throw new IllegalArgumentException(source + ": expected " + sizes.size()
                    + " parameters, as its text has, got a declaration of " + declared);
        }
        for (int i = 0; i < declared; i++) {
            bindings.add(new KernelBinding(
                    0, i, "parameter " + i, source.parameters().get(i)));
        }
        long module = load(source, image);
        try {
            this.function = Cuda.function(module, source.entryPoint());
            if (function == 0) {
                throw new IllegalArgumentException(source + ": expected a kernel '" + source.entryPoint()
                        + "' in its source, got none; declare it extern \"C\"");
            }
            long most = Cuda.FUNCTION_ATTRIBUTE.answer(Cuda.FUNCTION_MAX_THREADS, function);
            long threads = (long) source.threadsX() * source.threadsY() * source.threadsZ();
            if (threads > most) {
                throw new IllegalArgumentException(
                        source + ": expected at most " + most + " threads of a block, got " + threads);
            }
        } catch (RuntimeException | Error e) {
            Cuda.UNLOAD_MODULE.call(module);
            throw e;
        }
        this.isEarlyAllowed = owner.computeCapability() >= EARLIEST_WITH_EARLY_START;
        this.uses = owner.backend.uses(() -> {
            owner.backend.context().enter();
            Cuda.UNLOAD_MODULE.call(module);
        });
    }

    private static long load(KernelSource source, byte[] image) {
        Cuda.Loaded loaded = Cuda.loadModule(image);
        if (loaded.error() == 0) {
            return loaded.module();
        }
        if (loaded.log().isEmpty()) {
            throw Cuda.failure("cuModuleLoadDataEx of " + source, loaded.error());
        }
        throw refused(source, image, loaded);
    }

    /** The log of the driver, whose first line number is the position; it knows no columns. */
    private static KernelSourceException refused(KernelSource source, byte[] image, Cuda.Loaded loaded) {
        Matcher found = LINE.matcher(loaded.log());
        int line = found.find() ? Math.max(Integer.parseInt(found.group(1)), 1) : 1;
        String shown = new String(image, StandardCharsets.UTF_8)
                .lines()
                .skip(line - 1L)
                .findFirst()
                .map(text -> ", '" + text.strip() + "'")
                .orElse("");
        return new KernelSourceException(
                source + ", line " + line + shown + ": expected a source that the driver compiles, got "
                        + Cuda.text(loaded.error()) + "\n" + loaded.log(),
                line,
                1);
    }

    /** The bytes of the parameters of a kernel in PTX; none if it is not found, as in a binary. */
    static List<Long> sizes(byte[] image, String entryPoint) {
        String text = new String(image, StandardCharsets.UTF_8);
        Matcher entry = Pattern.compile(ENTRY + "\\s+" + Pattern.quote(entryPoint) + PARAMETERS)
                .matcher(text);
        // a text has many thousands of lines, which a pattern alone would search slowly
        for (int at = text.indexOf(ENTRY); at >= 0; at = text.indexOf(ENTRY, at + 1)) {
            boolean isComment =
                    text.substring(text.lastIndexOf('\n', at) + 1, at).contains("//");
            if (!isComment && entry.region(at, text.length()).lookingAt()) {
                return sizes(entry.group(1).replaceAll(COMMENT, ""));
            }
        }
        return List.of();
    }

    private static List<Long> sizes(String parameters) {
        List<Long> sizes = new ArrayList<>();
        for (Matcher each = PARAMETER.matcher(parameters); each.find(); ) {
            long count = each.group(2) == null ? 1 : Long.parseLong(each.group(2));
            sizes.add(Long.parseLong(each.group(1)) / BITS * count);
        }
        return sizes;
    }

    /** Requires that a parameter of so many bytes can be passed. */
    void requireBytes(int index, long bytes, String subject) {
        if (!sizes.isEmpty() && sizes.get(index) != bytes) {
            throw new IllegalArgumentException(subject + ": expected " + sizes.get(index) + " bytes for parameter "
                    + index + ", as its text has, got " + bytes);
        }
    }

    @Override
    public String label() {
        return source.label();
    }

    @Override
    public List<KernelBinding> bindings() {
        return List.copyOf(bindings);
    }

    @Override
    public void close() {
        uses.close();
    }

    @Override
    public String toString() {
        return source.toString();
    }
}
