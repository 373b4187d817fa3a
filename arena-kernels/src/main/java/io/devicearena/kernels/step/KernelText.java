package io.devicearena.kernels.step;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Assembles a kernel: its own file, those that it uses, and the numbers of a step.
 *
 * <p>A file is WGSL. Its directives are comments, so any tool for WGSL reads it. The page {@code docs/kernels.md} has
 * them all: {@code use}, {@code repeat} and {@code job}; and module constants, whose values a step may replace.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class KernelText {
    private static final String ROOT = "/io/devicearena/kernels/";
    private static final Pattern USE = Pattern.compile("//! use (?:(\\w+): )?([\\w/-]+)(?: as (\\w+?)u?)?");
    private static final Pattern NUMBER =
            Pattern.compile("(?:const|override) (\\w+): (u32|f32) = ([^;]+);(?: //! (job|repeat (\\w+)))?");
    private static final Pattern VARIABLE = Pattern.compile("@group\\(0\\) @binding\\(\\d+\\) (var<[^>]*> (\\w+): .*)");
    private static final Pattern OF_MATRIX = Pattern.compile("_M\\b");

    /** The lines of the module's files that were read so far: the steps of a program use the same ones. */
    private static final Map<String, List<String>> LINES = new ConcurrentHashMap<>();

    private final String file;
    private final Map<String, String> files = new HashMap<>();
    private final Map<String, List<String>> parts = new HashMap<>();
    private final Map<String, Double> values = new HashMap<>();
    private final Map<String, String> aliases = new HashMap<>();

    private KernelText(String file) {
        this.file = file;
    }

    /**
     * Begins the text of a kernel.
     *
     * @param file the kernel's own file below the root of all kernels, such as {@code norm/rms-norm}
     * @return a text with the defaults of its files
     */
    public static KernelText of(String file) {
        return new KernelText(file);
    }

    /**
     * Chooses the file for a slot.
     *
     * @param slot the name before the colon of a {@code use}
     * @param chosen a file, as the default is
     */
    public void use(String slot, String chosen) {
        files.put(slot, chosen);
    }

    /**
     * Gives a slot a text instead of a file: what a step makes itself, such as an expression.
     *
     * @param slot the name before the colon of a {@code use}
     * @param wgsl lines as those of a file; they may have directives
     */
    public void part(String slot, String wgsl) {
        use(slot, slot);
        parts.put(slot, wgsl.lines().toList());
    }

    /**
     * Sets a module constant.
     *
     * @param number its name; a {@code const} or {@code override} with a type and a default
     * @param value a value of its type
     */
    public void set(String number, double value) {
        values.put(number, value);
    }

    /**
     * Lets a variable be another one: its declaration is left out.
     *
     * @param variable a binding that is the same value as another one
     * @param other the binding of that value
     */
    public void alias(String variable, String other) {
        aliases.put(variable, other);
    }

    /**
     * Assembles the text.
     *
     * @param isUniform whether the numbers of the job are in a uniform, else they are constants
     * @return the kernel
     * @throws IllegalStateException if no file has a slot, a constant or a variable that was named here
     */
    public Assembled assemble(boolean isUniform) {
        return new Assembly(isUniform).assembled();
    }

    /**
     * A kernel.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param wgsl the text
     * @param variables the names of its bindings, in the order of their numbers in group 0
     * @param job the numbers of the job, in the order of their words in the uniform {@code job}
     */
    public record Assembled(String wgsl, List<String> variables, List<String> job) {
        /** Copies the lists. */
        public Assembled {
            variables = List.copyOf(variables);
            job = List.copyOf(job);
        }
    }

    /** The lines of a file. */
    static List<String> lines(String file) {
        return LINES.computeIfAbsent(file, KernelText::read);
    }

    private static List<String> read(String file) {
        try (InputStream in = KernelText.class.getResourceAsStream(ROOT + file + ".wgsl")) {
            if (in == null) {
                throw new IllegalStateException("kernel file " + file + ": expected it in the module, got none");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("kernel file " + file, e);
        }
    }

    /** A mark of lines that are repeated: {@code NAME_MARK} in names, {@code MARK} as a number. */
    private record Repeat(int times, Pattern mark, Pattern inName, Pattern number) {
        static Repeat of(String mark, int times) {
            return new Repeat(
                    times,
                    Pattern.compile("\\b(\\w+_)?" + mark + "(?![A-Za-z0-9])"),
                    Pattern.compile("_" + mark + "(?![A-Za-z0-9])"),
                    Pattern.compile("\\b" + mark + "\\b"));
        }

        String line(String line, int i) {
            return number.matcher(inName.matcher(line).replaceAll("_" + i)).replaceAll(i + "u");
        }
    }

    /** One pass over all files. */
    private final class Assembly {
        private final boolean isUniform;
        private final List<String> text = new ArrayList<>();
        private final List<String> variables = new ArrayList<>();
        private final List<String> job = new ArrayList<>();
        private final Set<String> enabled = new TreeSet<>();
        private final Set<String> included = new HashSet<>();
        private final Map<String, Double> numbers = new HashMap<>();
        private final Map<String, String> renamed = new LinkedHashMap<>(aliases);
        private final Set<String> unknown = new TreeSet<>();

        Assembly(boolean isUniform) {
            this.isUniform = isUniform;
            unknown.addAll(files.keySet());
            unknown.addAll(values.keySet());
            unknown.addAll(aliases.keySet());
        }

        Assembled assembled() {
            include(file, null);
            if (!unknown.isEmpty()) {
                throw new IllegalStateException(
                        "kernel " + file + ": expected names that its files have, got " + unknown);
            }
            List<String> head = new ArrayList<>();
            enabled.forEach(extension -> head.add("enable " + extension + ";"));
            if (isUniform && !job.isEmpty()) {
                head.add(job.stream().collect(Collectors.joining(": u32, ", "struct Job { ", ": u32 }")));
                head.add(numbered("var<uniform> job: Job;", "job"));
            }
            String body = String.join("\n", text);
            for (Map.Entry<String, String> name : renamed.entrySet()) {
                body = body.replaceAll("(?<![.\\w])" + name.getKey() + "\\b", name.getValue());
            }
            return new Assembled(String.join("\n", head) + body + "\n", variables, job);
        }

        /** Adds a file once for each matrix, after the files that it uses. */
        private void include(String name, @Nullable String matrix) {
            if (!included.add(name + " " + matrix)) {
                return;
            }
            List<String> own = new ArrayList<>();
            List<Repeat> repeats = new ArrayList<>();
            List<String> part = parts.get(name);
            for (String line : part == null ? lines(name) : part) {
                String plain = matrix == null ? line : OF_MATRIX.matcher(line).replaceAll("_" + matrix);
                repeated(plain, repeats).forEach(each -> add(each, repeats, matrix, own));
            }
            text.add("\n// " + name + (part == null ? ".wgsl" : ", made by the step")
                    + (matrix == null ? "" : ", _M is _" + matrix));
            text.addAll(own);
        }

        /** A line once for each number of each mark that it contains. */
        private static Stream<String> repeated(String line, List<Repeat> repeats) {
            for (Repeat repeat : repeats) {
                if (repeat.mark.matcher(line).find()) {
                    return IntStream.range(0, repeat.times)
                            .mapToObj(i -> repeat.line(line, i))
                            .flatMap(each -> repeated(each, repeats));
                }
            }
            return Stream.of(line);
        }

        private void add(String line, List<Repeat> repeats, @Nullable String matrix, List<String> own) {
            Matcher use = USE.matcher(line);
            Matcher number = NUMBER.matcher(line);
            Matcher variable = VARIABLE.matcher(line);
            if (use.matches()) {
                String slot = requireNonNullElse(use.group(1), "");
                unknown.remove(slot);
                String as = use.group(3);
                include(files.getOrDefault(slot, use.group(2)), "M".equals(as) ? matrix : as);
            } else if (number.matches()) {
                addNumber(number, repeats, own);
            } else if (variable.matches()) {
                unknown.remove(variable.group(2));
                if (!aliases.containsKey(variable.group(2))) {
                    own.add(numbered(variable.group(1), variable.group(2)));
                }
            } else if (line.startsWith("enable ")) {
                enabled.add(line.substring(7, line.length() - 1));
            } else {
                own.add(line);
            }
        }

        private void addNumber(Matcher number, List<Repeat> repeats, List<String> own) {
            String name = number.group(1);
            unknown.remove(name);
            String count = number.group(5);
            if (count != null) {
                int times = count.matches("\\d+")
                        ? Integer.parseInt(count)
                        : requireNonNull(numbers.get(count), count).intValue();
                repeats.add(Repeat.of(name, times));
                return;
            }
            String literal = number.group(3);
            Double value = values.get(name);
            if (value != null) {
                literal = number.group(2).equals("f32") ? (float) (double) value + "f" : (long) (double) value + "u";
                numbers.put(name, value);
            } else if (literal.matches("\\d+u")) {
                numbers.put(name, Double.valueOf(literal.substring(0, literal.length() - 1)));
            }
            boolean isJob = number.group(4) != null;
            if (isJob) {
                job.add(name);
            }
            if (isJob && isUniform) {
                renamed.put(name, "job." + name);
            } else {
                own.add(number.group().replace(number.group(3) + ";", literal + ";"));
            }
        }

        private String numbered(String declaration, String name) {
            variables.add(name);
            return "@group(0) @binding(" + (variables.size() - 1) + ") " + declaration;
        }
    }
}
