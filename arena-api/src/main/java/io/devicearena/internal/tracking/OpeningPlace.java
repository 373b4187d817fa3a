package io.devicearena.internal.tracking;

import java.util.List;

/** Where an arena was opened; log lines have it as their cause. It is never thrown. Threads: immutable. */
public final class OpeningPlace extends Exception {
    private static final long serialVersionUID = 1L;

    /** The most frames that are kept; the first is the caller's. */
    private static final int FRAMES = 32;

    private OpeningPlace(List<StackTraceElement> frames) {
        super("the arena was opened here", null, false, true);
        setStackTrace(frames.toArray(StackTraceElement[]::new));
    }

    /**
     * Finds the caller that opens an arena: the first frames of the current thread are those of this library and of the
     * backend, and are left out.
     *
     * @param backend the types of backends: their methods are not the caller's
     */
    static OpeningPlace ofCaller(List<Class<?>> backend) {
        return new OpeningPlace(StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.dropWhile(frame -> isOpening(frame.getDeclaringClass(), backend))
                        .limit(FRAMES)
                        .map(StackWalker.StackFrame::toStackTraceElement)
                        .toList()));
    }

    private static boolean isOpening(Class<?> type, List<Class<?>> backend) {
        String name = type.getPackageName();
        return name.startsWith("io.devicearena.internal.")
                || name.equals("io.devicearena.spi")
                || name.equals("io.devicearena.discovery")
                || backend.stream().anyMatch(known -> known.isAssignableFrom(type));
    }

    /** The frame of the caller, for example {@code Engine.load(Engine.java:41)}. */
    public String caller() {
        StackTraceElement[] frames = getStackTrace();
        return frames.length == 0
                ? "unknown"
                : frames[0].getClassName().replaceFirst(".*\\.", "") + "." + frames[0].getMethodName() + "("
                        + frames[0].getFileName() + ":" + frames[0].getLineNumber() + ")";
    }
}
