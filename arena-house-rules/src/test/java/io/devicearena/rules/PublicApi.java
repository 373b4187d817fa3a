package io.devicearena.rules;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Lists what a user can reach of a type: one line for the type, one for each public or protected member.
 *
 * <p>What every record, enum and object has is left out: accessors and the canonical constructor of a record (its
 * components stand in the line of the type), {@code values}, {@code valueOf}, {@code equals}, {@code hashCode} and
 * {@code toString}.
 */
final class PublicApi {
    private static final Pattern PACKAGE = Pattern.compile("(?<![\\w.])(?:[a-z]\\w*\\.)+(?=[A-Z@])");
    private static final Set<String> OF_EVERY_OBJECT = Set.of("equals(Object)", "hashCode()", "toString()");
    private static final Set<String> OF_EVERY_ENUM = Set.of("values()", "valueOf(String)");

    private final Class<?> type;

    private PublicApi(Class<?> type) {
        this.type = type;
    }

    /** Whether a type can be reached from another package, through all types around it. */
    static boolean reaches(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return (Modifier.isPublic(type.getModifiers()) || Modifier.isProtected(type.getModifiers()))
                && (outer == null || reaches(outer));
    }

    /** Lists a type, its members indented, in an order of its own. */
    static String of(Class<?> type) {
        return new PublicApi(type).list();
    }

    private String list() {
        List<String> lines = new ArrayList<>();
        lines.add(declaration());
        lines.addAll(sorted(type.getDeclaredFields(), this::field));
        lines.addAll(sorted(type.getDeclaredConstructors(), this::constructor));
        lines.addAll(sorted(methods().toArray(Method[]::new), this::method));
        return String.join("\n    ", lines) + "\n";
    }

    /** The lines of members that users reach, by name; a line that an overriding method shares stands once. */
    private <M extends Member> List<String> sorted(M[] members, Function<M, String> line) {
        return Arrays.stream(members)
                .filter(member -> !member.isSynthetic() && reaches(member))
                .sorted(Comparator.<M, String>comparing(Member::getName).thenComparing(line))
                .map(line)
                .filter(text -> !text.isEmpty())
                .distinct()
                .toList();
    }

    private boolean reaches(Member member) {
        return Modifier.isPublic(member.getModifiers())
                || (Modifier.isProtected(member.getModifiers()) && !Modifier.isFinal(type.getModifiers()));
    }

    /** The methods of a type and those that it has from types that no user sees. */
    private List<Method> methods() {
        List<Method> methods = new ArrayList<>(List.of(type.getDeclaredMethods()));
        for (Class<?> hidden = type.getSuperclass();
                hidden != null && !reaches(hidden);
                hidden = hidden.getSuperclass()) {
            methods.addAll(List.of(hidden.getDeclaredMethods()));
        }
        return methods;
    }

    private String declaration() {
        StringBuilder line = new StringBuilder(deprecated(type.isAnnotationPresent(Deprecated.class)));
        int hidden = Modifier.STRICT
                | (type.isInterface() ? Modifier.INTERFACE | Modifier.ABSTRACT | Modifier.STATIC : 0)
                | (type.isEnum() || type.isRecord() ? Modifier.FINAL | Modifier.STATIC | Modifier.ABSTRACT : 0);
        line.append(words(Modifier.toString(type.getModifiers() & ~hidden), type.isSealed() ? "sealed" : "", kind()));
        line.append(nameOf(type)).append(variables(type.getTypeParameters()));
        if (type.isRecord()) {
            line.append(Arrays.stream(type.getRecordComponents())
                    .map(component -> text(component.getAnnotatedType()) + " " + component.getName())
                    .collect(Collectors.joining(", ", "(", ")")));
        }
        AnnotatedType parent = type.getAnnotatedSuperclass();
        if (kind().equals("class") && parent != null && parent.getType() != Object.class) {
            line.append(" extends ").append(text(parent));
        }
        if (!type.isAnnotation()) {
            line.append(list(type.isInterface() ? " extends " : " implements ", type.getAnnotatedInterfaces()));
        }
        if (type.isSealed() && !type.isEnum()) {
            line.append(Arrays.stream(type.getPermittedSubclasses())
                    .map(PublicApi::nameOf)
                    .sorted()
                    .collect(Collectors.joining(", ", " permits ", "")));
        }
        return line.toString();
    }

    private String kind() {
        return type.isAnnotation()
                ? "@interface"
                : type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    }

    private String field(Field field) {
        if (field.isEnumConstant()) {
            return deprecated(field.isAnnotationPresent(Deprecated.class)) + field.getName();
        }
        return deprecated(field.isAnnotationPresent(Deprecated.class))
                + words(Modifier.toString(field.getModifiers() & Modifier.fieldModifiers()))
                + text(field.getAnnotatedType()) + " " + field.getName();
    }

    private String constructor(Constructor<?> constructor) {
        return isCanonical(constructor)
                ? ""
                : executable(constructor, Modifier.toString(constructor.getModifiers()), type.getSimpleName());
    }

    private boolean isCanonical(Constructor<?> constructor) {
        return type.isRecord()
                && Arrays.equals(
                        constructor.getParameterTypes(),
                        Arrays.stream(type.getRecordComponents())
                                .map(RecordComponent::getType)
                                .toArray());
    }

    private String method(Method method) {
        String signature = method.getName() + parameters(method);
        if (OF_EVERY_OBJECT.contains(signature)
                || (type.isEnum() && OF_EVERY_ENUM.contains(signature))
                || (type.isRecord() && isAccessor(method))) {
            return "";
        }
        int shown = method.getModifiers() & (Modifier.methodModifiers() & ~Modifier.SYNCHRONIZED & ~Modifier.NATIVE);
        String modifiers = method.isDefault()
                ? "public default"
                : Modifier.toString(type.isInterface() ? shown & ~Modifier.ABSTRACT : shown);
        return executable(method, modifiers, text(method.getAnnotatedReturnType()) + " " + method.getName());
    }

    private boolean isAccessor(Method method) {
        return method.getParameterCount() == 0
                && Arrays.stream(type.getRecordComponents())
                        .anyMatch(component -> component.getName().equals(method.getName()));
    }

    private static String executable(Executable executable, String modifiers, String name) {
        return deprecated(executable.isAnnotationPresent(Deprecated.class))
                + words(modifiers, variables(executable.getTypeParameters()))
                + name
                + parameters(executable)
                + list(" throws ", executable.getAnnotatedExceptionTypes());
    }

    private static String parameters(Executable executable) {
        return Arrays.stream(executable.getAnnotatedParameterTypes())
                .map(PublicApi::text)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static String variables(TypeVariable<?>[] variables) {
        return variables.length == 0
                ? ""
                : Arrays.stream(variables).map(PublicApi::variable).collect(Collectors.joining(", ", "<", ">"));
    }

    private static String variable(TypeVariable<?> variable) {
        String bounds = Arrays.stream(variable.getAnnotatedBounds())
                .map(PublicApi::text)
                .filter(bound -> !bound.equals("Object"))
                .collect(Collectors.joining(" & "));
        return bounds.isEmpty() ? variable.getName() : variable.getName() + " extends " + bounds;
    }

    private static String list(String before, AnnotatedType[] types) {
        return types.length == 0
                ? ""
                : Arrays.stream(types).map(PublicApi::text).collect(Collectors.joining(", ", before, ""));
    }

    /** A type with its annotations, without packages: a diff shows the name that matters. */
    private static String text(AnnotatedType type) {
        String qualified = type.toString().replace('$', '.').replace("()", "");
        return PACKAGE.matcher(qualified).replaceAll("");
    }

    private static String nameOf(Class<?> type) {
        return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
    }

    private static String deprecated(boolean is) {
        return is ? "@Deprecated " : "";
    }

    /** The words that are not empty, each with a blank behind it. */
    private static String words(String... words) {
        return Arrays.stream(words)
                .filter(word -> !word.isEmpty())
                .map(word -> word + " ")
                .collect(Collectors.joining());
    }
}
