/**
 * Moves bytes between the host and a device.
 *
 * <p>All work of a context goes to one stream, in the order of the calls: what a call begins sees all that calls before
 * it began. So nothing on the device needs an event. Events guard host memory: the device has read a piece of staging,
 * or has filled it.
 */
@NullMarked
package io.devicearena.cuda.internal.transfer;

import org.jspecify.annotations.NullMarked;
