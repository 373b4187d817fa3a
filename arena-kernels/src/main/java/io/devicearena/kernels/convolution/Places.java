package io.devicearena.kernels.convolution;

/**
 * What the elements of one axis of a resized image are made of: first + (second - first) weight.
 *
 * <p><b>Threads:</b> immutable; do not change the arrays.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
record Places(int[] first, int[] second, float[] weight) {
    /** Computes the places in f64, so that host and device have the same. */
    static Places of(int length, int all, double scale, Interpolation interpolation) {
        Places places = new Places(new int[all], new int[all], new float[all]);
        for (int i = 0; i < all; i++) {
            double at = at(i, length, all, scale, interpolation.coordinates());
            if (interpolation.mode() == Interpolation.Mode.NEAREST) {
                places.set(i, round(at, interpolation.rounding()), 0, length);
            } else {
                double inside = Math.max(0, Math.min(length - 1, at));
                places.set(i, Math.floor(inside), inside - Math.floor(inside), length);
            }
        }
        return places;
    }

    private void set(int i, double at, double between, int length) {
        first[i] = (int) Math.max(0, Math.min(length - 1, at));
        second[i] = between == 0 ? first[i] : Math.min(first[i] + 1, length - 1);
        weight[i] = (float) between;
    }

    private static double at(int i, int length, int all, double scale, Interpolation.Coordinates coordinates) {
        return switch (coordinates) {
            case ASYMMETRIC -> i / scale;
            case HALF_PIXEL -> (i + 0.5) / scale - 0.5;
            case PYTORCH_HALF_PIXEL -> all == 1 ? 0 : (i + 0.5) / scale - 0.5;
            case ALIGN_CORNERS -> all == 1 ? 0 : (double) i * (length - 1) / (all - 1);
        };
    }

    private static double round(double at, Interpolation.Rounding rounding) {
        return switch (rounding) {
            case FLOOR -> Math.floor(at);
            case CEIL -> Math.ceil(at);
            case ROUND_PREFER_FLOOR -> Math.ceil(at - 0.5);
            case ROUND_PREFER_CEIL -> Math.floor(at + 0.5);
        };
    }

    /** The places as words for a kernel: three for each element. */
    int[] words() {
        int[] words = new int[3 * first.length];
        for (int i = 0; i < first.length; i++) {
            words[3 * i] = first[i];
            words[3 * i + 1] = second[i];
            words[3 * i + 2] = Float.floatToRawIntBits(weight[i]);
        }
        return words;
    }

    /** Takes the nearest elements of a row of an image. */
    void takeNearest(float[] image, int at, float[] to) {
        for (int x = 0; x < first.length; x++) {
            to[x] = image[at + first[x]];
        }
    }

    /** Interpolates between elements of two rows of an image, of which the lower one has a weight. */
    void interpolate(float[] image, int above, int below, float lowerWeight, float[] to) {
        for (int x = 0; x < first.length; x++) {
            int a = first[x];
            int b = second[x];
            float upper = image[above + a] + (image[above + b] - image[above + a]) * weight[x];
            float lower = image[below + a] + (image[below + b] - image[below + a]) * weight[x];
            to[x] = upper + (lower - upper) * lowerWeight;
        }
    }
}
