package io.devicearena.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.diagnostics.internal.DiagnosticObserver;
import io.devicearena.spi.memory.MemoryFigures;
import io.devicearena.spi.observation.ArenaIdentity;
import io.devicearena.spi.observation.ArenaTrace;
import io.devicearena.spi.observation.MemoryWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the log says of an arena that is dropped without close. */
class DroppedArenaTest {
    private static final String LEAKS = "devicearena.leaks";
    private static final ArenaIdentity ARENA = new ArenaIdentity("dropped", TestProvider.DEVICE, 64, 1, false);

    private final Logger logger = Logger.getLogger("io.devicearena");
    private final List<LogRecord> lines = new ArrayList<>();

    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            if (line.getMessage().contains("'dropped'")) {
                lines.add(line);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void reset() {
        logger.setUseParentHandlers(true);
        logger.removeHandler(handler);
        System.clearProperty(LEAKS);
    }

    /** Opens an arena and drops it, as the cleaner does. */
    private LogRecord drop() {
        MemoryWatch watch = new DiagnosticObserver().watch(64, false);
        watch.allocated(() -> MemoryFigures.NONE, () -> 1);
        ArenaTrace trace = watch.opened(ARENA);
        watch.freed();
        trace.dropped();
        assertThat(lines).hasSize(1);
        assertThat(lines.getFirst().getLevel()).isEqualTo(Level.WARNING);
        return lines.getFirst();
    }

    @Test
    void withoutAPlace_theLineNamesTheProperty() {
        LogRecord line = drop();
        assertThat(line.getMessage())
                .isEqualTo("device arena 'dropped' of 64 bytes on 'byte array' was dropped without close; its memory is"
                        + " freed now. Set the property devicearena.leaks to all to see where it was opened");
        assertThat(line.getThrown()).isNull();
    }

    @Test
    void withAPlace_theLineNamesTheCaller_andHasItsStack() {
        System.setProperty(LEAKS, "all");
        LogRecord line = drop();
        StackTraceElement caller = line.getThrown().getStackTrace()[0];
        assertThat(caller.getClassName()).isEqualTo(DroppedArenaTest.class.getName());
        assertThat(caller.getMethodName()).isEqualTo("drop");
        assertThat(line.getMessage())
                .isEqualTo("device arena 'dropped' of 64 bytes on 'byte array' was dropped without close; its memory is"
                        + " freed now. It was opened at DroppedArenaTest.drop(DroppedArenaTest.java:"
                        + caller.getLineNumber() + ")");
        assertThat(line.getThrown()).hasMessage("the arena was opened here");
    }
}
