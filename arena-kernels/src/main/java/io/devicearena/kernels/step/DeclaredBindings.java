package io.devicearena.kernels.step;

import io.devicearena.kernel.Binding;
import io.devicearena.kernel.Bindings;
import java.util.ArrayList;
import java.util.List;

/**
 * What a kernel is bound to, in the order of the numbers of its bindings, and their declarations in WGSL.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class DeclaredBindings {
    private final StringBuilder text = new StringBuilder();
    private final List<Binding> bound = new ArrayList<>();

    /** Makes one without bindings. */
    public DeclaredBindings() {}

    /**
     * Adds an array in storage.
     *
     * @param name of the variable
     * @param element the type of its elements
     * @param written whether the kernel writes to it
     * @param binding what it is bound to
     */
    public void addArray(String name, String element, boolean written, Binding binding) {
        String access = written ? "read_write" : "read";
        add("var<storage, " + access + "> " + name + ": array<" + element + ">", binding);
    }

    /**
     * Adds a uniform.
     *
     * @param name of the variable
     * @param type of it, which the kernel declares
     * @param binding what it is bound to
     */
    public void addUniform(String name, String type, Binding binding) {
        add("var<uniform> " + name + ": " + type, binding);
    }

    private void add(String variable, Binding binding) {
        text.append("@group(0) @binding(")
                .append(bound.size())
                .append(") ")
                .append(variable)
                .append(";\n");
        bound.add(binding);
    }

    /** {@return the declarations} */
    public String text() {
        return text.toString();
    }

    /** {@return the bindings, of group 0} */
    public Bindings bindings() {
        return Bindings.of(bound.toArray(Binding[]::new));
    }
}
