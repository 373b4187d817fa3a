package io.devicearena.wgpu;

import static io.devicearena.wgpu.testing.ChildOutput.OUT;

import io.devicearena.DeviceArena;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** A program that counts the lines of the log by level, while an arena is opened and used. */
final class LogToErrors {
    /** The property that names the level of the logger. */
    static final String LEVEL = "devicearena.level";

    /** The property that makes the handler throw. */
    static final String THROWS = "devicearena.throws";

    private static final Map<String, Integer> LINES = new TreeMap<>();

    private LogToErrors() {}

    public static void main(String[] args) {
        Logger logger = Logger.getLogger("io.devicearena.wgpu");
        logger.setLevel(Level.parse(System.getProperty(LEVEL, "INFO")));
        logger.setUseParentHandlers(false);
        logger.addHandler(new Counter());
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, 64))) {
            arena.writeBytes(0, MemorySegment.ofArray(new byte[64]));
            arena.readBytes(0, MemorySegment.ofArray(new byte[64]));
        }
        OUT.println(LINES);
    }

    /** Counts lines of the library. */
    private static final class Counter extends Handler {
        Counter() {
            setLevel(Level.ALL);
        }

        @Override
        public void publish(LogRecord line) {
            if (line.getMessage().startsWith("wgpu-native: ")) {
                synchronized (LINES) {
                    LINES.merge(line.getLevel().getName(), 1, Integer::sum);
                }
                if (Boolean.getBoolean(THROWS)) {
                    throw new IllegalStateException("a handler that fails");
                }
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
