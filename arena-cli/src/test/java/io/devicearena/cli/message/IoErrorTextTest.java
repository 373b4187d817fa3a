package io.devicearena.cli.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import org.junit.jupiter.api.Test;

class IoErrorTextTest {
    @Test
    void loopOfLinksIsNamed_asEachJdkThrowsIt() {
        String loop = "a loop of links";
        assertThat(IoErrorText.why(new FileSystemLoopException("a"))).isEqualTo(loop);
        assertThat(IoErrorText.why(new FileSystemException(
                        "a",
                        null,
                        "Too many levels of symbolic links or unable to access attributes of symbolic link")))
                .isEqualTo(loop);
    }
}
