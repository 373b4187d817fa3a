package com.example.mappedfile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the kit cannot know of: the file that stays. */
class KeptFileTest {
    private static final NodeId WEIGHTS = NodeId.of(1);
    private static final MemoryPlan PLAN = plan(16);

    @TempDir
    Path folder;

    /** Writes, says so, and ends without closing the arena, as a process that crashed; or waits to be ended. */
    static final class Writer {
        public static void main(String[] args) throws IOException {
            DeviceArena arena = MappedFiles.open(Path.of(args[0]), PLAN);
            arena.writeInputF32(WEIGHTS, DType.F32, new float[] {1, 2, 3, 4});
            System.out.println("written");
            if (System.in.read() < 0) {
                Runtime.getRuntime().halt(0);
            }
        }
    }

    private static MemoryPlan plan(long offset) {
        return new MemoryPlan(64, Map.of(WEIGHTS, new BufferSlot(offset, 16)), List.of(WEIGHTS));
    }

    private static Process writer(Path file) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path")
                                + File.pathSeparator
                                + System.getProperty("jdk.module.path", ""),
                        Writer.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertEquals("written", process.inputReader().readLine());
        return process;
    }

    @Test
    void bytesSurviveTheProcessThatWroteThem() throws IOException, InterruptedException {
        Path file = folder.resolve("weights.arena");
        Process process = writer(file);
        process.getOutputStream().close();
        assertEquals(0, process.waitFor());
        try (DeviceArena arena = MappedFiles.open(file, PLAN)) {
            assertArrayEquals(new float[] {1, 2, 3, 4}, arena.readOutputF32(WEIGHTS, DType.F32, 4));
        }
    }

    @Test
    void fileOfAnotherProcessIsRefusedUntilItEnds() throws IOException, InterruptedException {
        Path file = folder.resolve("weights.arena");
        Process process = writer(file);
        try (OutputStream end = process.getOutputStream()) {
            IOException refusal = assertThrows(IOException.class, () -> MappedFiles.open(file, PLAN));
            assertEquals(
                    "file '" + file + "' is already open in another process;"
                            + " close that arena first, or open another file",
                    refusal.getMessage());
        }
        assertEquals(0, process.waitFor());
        MappedFiles.open(file, PLAN).close();
    }

    @Test
    void secondArenaOfThisProcessIsRefusedAndTheLockOutlivesTheTry() throws IOException {
        Path file = folder.resolve("weights.arena");
        try (DeviceArena arena = MappedFiles.open(file, PLAN)) {
            for (int i = 0; i < 2; i++) {
                IOException refusal = assertThrows(IOException.class, () -> MappedFiles.open(file, PLAN));
                assertEquals(
                        "file '" + file + "' is already open in this process;"
                                + " close that arena first, or open another file",
                        refusal.getMessage());
            }
            assertEquals(64, arena.sizeBytes());
        }
        MappedFiles.open(file, PLAN).close();
    }

    @Test
    void newFileReadsAsZeroAndFlushedBytesAreInTheFile() throws IOException {
        Path file = folder.resolve("weights.arena");
        try (DeviceArena arena = MappedFiles.open(file, PLAN)) {
            assertArrayEquals(new float[4], arena.readOutputF32(WEIGHTS, DType.F32, 4));
            arena.writeInputF32(WEIGHTS, DType.BF16, new float[] {1}); // 3F80
            arena.flush();
            assertEquals(0x3F80, (short) (Files.readAllBytes(file)[16] & 0xFF | Files.readAllBytes(file)[17] << 8));
        }
    }

    @Test
    void otherPlanAndOtherScratchAreRefused() throws IOException {
        Path file = folder.resolve("weights.arena");
        MappedFiles.open(file, PLAN).close();
        byte[] before = Files.readAllBytes(file);
        String message = "file '" + file + "': expected the plan, scratch and byte order it was made with, got others;"
                + " open it with those, or open another file";
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> MappedFiles.open(file, plan(32)))
                        .getMessage());
        ArenaOptions scratch = ArenaOptions.defaults().withScratchBytes(16);
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> MappedFiles.open(file, PLAN, scratch))
                        .getMessage());
        assertArrayEquals(before, Files.readAllBytes(file));
    }

    @Test
    void fileThatIsNoArenaIsRefusedAndKeepsItsBytes() throws IOException {
        Path file = Files.writeString(folder.resolve("notes.txt"), "mind the gap");
        assertEquals(
                "file '" + file + "': expected the file of an arena, got 12 bytes of something else, or of a file whose"
                        + " making was interrupted; move it away",
                assertThrows(IOException.class, () -> MappedFiles.open(file, PLAN))
                        .getMessage());
        assertEquals("mind the gap", Files.readString(file));
    }
}
