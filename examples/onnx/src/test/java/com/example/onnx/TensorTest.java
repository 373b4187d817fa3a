package com.example.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TensorTest {
    @TempDir
    Path folder;

    @Test
    void read_whatWasWritten_isTheSame() throws IOException {
        Path file = folder.resolve("a.npy");
        Tensor.of(List.of(2L, 3L), 1, 2, 3, 9, -5, 6).write(file);
        Tensor read = Tensor.read(file);
        assertEquals(List.of(2L, 3L), read.shape());
        assertEquals(-5, read.get(4));
        assertEquals(3, read.largest());
        assertEquals(256 + 6 * 4, Files.size(file));
    }

    @Test
    void read_anotherFile_isRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("b.npy"), "some words of text");
        assertEquals(
                file + ": expected an .npy file of version 1 with f4, i4, i8 or b1 in the order of C, got 'some words of"
                        + " text'; write it with numpy.save",
                assertThrows(IllegalArgumentException.class, () -> Tensor.read(file))
                        .getMessage());
    }

    @Test
    void readImage_narrow_isScaledAndFollowedByZeros() throws IOException {
        BufferedImage red = new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < 64; i++) {
            red.setRGB(i % 8, i / 8, 0xFF0000);
        }
        Path file = folder.resolve("red.png");
        ImageIO.write(red, "png", file.toFile());
        Tensor image = Picture.read(file, List.of(1L, 3L, 4L, 6L));
        // blue, green, red; four columns of the image and two of zeros
        assertEquals(-1, image.get(0));
        assertEquals(0, image.get(4));
        assertEquals(1, image.get(2 * 4 * 6));
        assertEquals(0, image.get(2 * 4 * 6 + 5));
    }
}
