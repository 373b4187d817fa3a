package io.devicearena.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class SoakPictureTest {
    private static SoakRow row(int minute, long errors, double gigabytes, long residentMiB) {
        return new SoakRow(minute, 10, 100, gigabytes, 60, 0, errors, residentMiB, 40, 0, 9);
    }

    @Test
    void of_rowsWithoutErrors_printsAMostOfZero() {
        String svg = SoakPicture.of(List.of(row(1, 0, 3, 1234), row(2, 0, 0.6, 123_456)));

        assertThat(svg)
                .contains(">most 123456<", ">most 40<", ">most 0.05<")
                .doesNotContainPattern("\\d[eE][-+]|NaN|Infinity");
        assertThat(svg.split(">most 0<", -1)).as("open files and errors").hasSize(3);
    }

    @Test
    void silenceLosses_keepsOtherWarnings() {
        Logger backend = Logger.getLogger("io.devicearena.wgpu");
        try {
            LosableDevice.silenceLosses();
            assertThat(backend.getFilter().isLoggable(new LogRecord(Level.WARNING, "device 'x' was lost: destroyed")))
                    .isFalse();
            assertThat(backend.getFilter().isLoggable(new LogRecord(Level.WARNING, "the driver is old")))
                    .isTrue();
        } finally {
            backend.setFilter(null);
        }
    }
}
