package io.devicearena.plan;

/**
 * A plan is wrong: values that live at the same time share bytes, or a slot is missing, misplaced or too small.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class InvalidPlanException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message the values, their slots and live ranges
     */
    public InvalidPlanException(String message) {
        super(message);
    }
}
