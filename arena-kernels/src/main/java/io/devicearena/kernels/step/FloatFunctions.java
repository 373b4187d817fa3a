package io.devicearena.kernels.step;

/**
 * Functions of a float in f32, without branches: HotSpot vectorises a loop that calls one of them.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class FloatFunctions {
    /** A result of it or more is a float that is not subnormal: those take a processor long. */
    private static final double LEAST_POWER = -87;

    /** The largest power whose result is finite. */
    private static final double MOST_POWER = 88.7;

    /** Halvings of a power, each of which a square undoes. */
    private static final double PART = 1 / 256.0;

    // tanh(u) is u p(u^2) / q(u^2) within 2.1e-8 of its value from -9 to 9, and 1 within 3.1e-8 beyond. These
    // coefficients
    // and the next ones are ours: minimax fits by iterated least squares. All are positive, so nothing cancels.
    private static final float TANH_ONE = 9;
    private static final float R0 = 1;
    private static final float R1 = 0.13381027f;
    private static final float R2 = 0.0034955894f;
    private static final float R3 = 2.06091e-5f;
    private static final float R4 = 1.3354685e-8f;
    private static final float S1 = 0.46714342f;
    private static final float S2 = 0.025876986f;
    private static final float S3 = 3.2856365e-4f;
    private static final float S4 = 7.776568e-7f;

    // erf(u / sqrt(2)) is u p(u^2) / q(u^2) within 1e-8 from -5.3 to 5.3, and 1 within 1.2e-7 beyond
    private static final float ERF_ONE = 5.3f;
    private static final float ROOT_OF_2 = 1.4142135f;
    private static final float P0 = 0.7978845f;
    private static final float P1 = 0.06587177f;
    private static final float P2 = 0.009256001f;
    private static final float P3 = 3.2067124e-4f;
    private static final float P4 = 1.2758153e-5f;
    private static final float P5 = 4.8100514e-8f;
    private static final float Q1 = 0.24922425f;
    private static final float Q2 = 0.028138882f;
    private static final float Q3 = 0.0018365778f;
    private static final float Q4 = 7.1352726e-5f;
    private static final float Q5 = 1.2371681e-6f;

    private FloatFunctions() {}

    /**
     * Computes e to a power in f64, within 1e-7 of the result: the 256th power of the first nine terms of the series,
     * which are off by less than 2e-10 there.
     *
     * @param x any float; below -87 the result is that of -87, 1.6e-38, and above 88.7 that of 88.7
     * @return e^x
     */
    public static float exp(float x) {
        double y = Math.max(LEAST_POWER, Math.min(MOST_POWER, x)) * PART;
        double upper = Math.fma(y, Math.fma(y, Math.fma(y, 1 / 40320.0, 1 / 5040.0), 1 / 720.0), 1 / 120.0);
        double e = Math.fma(y, Math.fma(y, Math.fma(y, Math.fma(y, Math.fma(y, upper, 1 / 24.0), 1 / 6.0), 0.5), 1), 1);
        double e8 = e * e * (e * e) * (e * e * (e * e));
        double e64 = e8 * e8 * (e8 * e8) * (e8 * e8 * (e8 * e8));
        return (float) (e64 * e64 * (e64 * e64));
    }

    /**
     * Computes the hyperbolic tangent, within 3e-7.
     *
     * @param x any float
     * @return tanh(x)
     */
    public static float tanh(float x) {
        float u = Math.max(-TANH_ONE, Math.min(TANH_ONE, x));
        float s = u * u;
        float p = Math.fma(s, Math.fma(s, Math.fma(s, Math.fma(s, R4, R3), R2), R1), R0);
        float q = Math.fma(s, Math.fma(s, Math.fma(s, Math.fma(s, S4, S3), S2), S1), 1);
        return u * p / q;
    }

    /**
     * Computes 1 / (1 + e^-x) by the hyperbolic tangent, within 1.5e-7.
     *
     * @param x any float
     * @return the sigmoid of x
     */
    public static float sigmoid(float x) {
        return Math.fma(0.5f, tanh(0.5f * x), 0.5f);
    }

    /**
     * Computes the error function, within 2.4e-7.
     *
     * @param x any float
     * @return erf(x)
     */
    public static float erf(float x) {
        return erfOfRoots(x * ROOT_OF_2);
    }

    /**
     * Computes the error function of a quotient by the root of 2, within 2.4e-7.
     *
     * @param x any float
     * @return erf(x / sqrt(2))
     */
    public static float erfOfRoots(float x) {
        float u = Math.max(-ERF_ONE, Math.min(ERF_ONE, x));
        float s = u * u;
        float p = Math.fma(s, Math.fma(s, Math.fma(s, Math.fma(s, Math.fma(s, P5, P4), P3), P2), P1), P0);
        float q = Math.fma(s, Math.fma(s, Math.fma(s, Math.fma(s, Math.fma(s, Q5, Q4), Q3), Q2), Q1), 1);
        return u * p / q;
    }
}
