package io.devicearena.diagnostics.internal.tracking;

import io.devicearena.DeviceArena;
import io.devicearena.spi.DeviceArenaProvider;
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

    /** The place outside of arena-api and of providers, whose methods open arenas on behalf of a caller. */
    static OpeningPlace ofCaller() {
        return new OpeningPlace(StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.dropWhile(frame -> isOpening(frame.getDeclaringClass()))
                        .limit(FRAMES)
                        .map(StackWalker.StackFrame::toStackTraceElement)
                        .toList()));
    }

    private static boolean isOpening(Class<?> type) {
        String name = type.getPackageName();
        return name.startsWith("io.devicearena.diagnostics.")
                || name.equals("io.devicearena.spi")
                || name.equals("io.devicearena.discovery")
                || DeviceArena.class.isAssignableFrom(type)
                || DeviceArenaProvider.class.isAssignableFrom(type);
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
