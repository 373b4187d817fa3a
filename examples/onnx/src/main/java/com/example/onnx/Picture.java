package com.example.onnx;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;

/** Reads an image as the models of rapidocr take it. */
final class Picture {
    private static final int CHANNELS = 3;
    private static final float HALF = 127.5f;

    private Picture() {}

    /** Reads an image as [1][blue, green, red][height][width] of -1 to 1, with zeros to the right of a narrow one. */
    static Tensor read(Path file, List<Long> shape) throws IOException {
        if (shape.size() != CHANNELS + 1 || shape.get(0) != 1 || shape.get(1) != CHANNELS) {
            throw new IllegalArgumentException(
                    "image: expected a model whose input is 1 x 3 x height x width, got " + shape);
        }
        BufferedImage image = ImageIO.read(file.toFile());
        if (image == null) {
            throw new IllegalArgumentException(
                    file + ": expected an image that Java reads, such as a PNG, got another file");
        }
        int height = shape.get(2).intValue();
        int width = shape.get(3).intValue();
        int used = Math.min(width, Math.ceilDiv(height * image.getWidth(), image.getHeight()));
        BufferedImage scaled = new BufferedImage(used, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = scaled.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(image, 0, 0, used, height, null);
        graphics.dispose();
        float[] floats = new float[CHANNELS * height * width];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < used; x++) {
                int rgb = scaled.getRGB(x, y);
                for (int channel = 0; channel < CHANNELS; channel++) {
                    floats[(channel * height + y) * width + x] = (rgb >> channel * Byte.SIZE & 0xFF) / HALF - 1;
                }
            }
        }
        return Tensor.of(shape, floats);
    }
}
