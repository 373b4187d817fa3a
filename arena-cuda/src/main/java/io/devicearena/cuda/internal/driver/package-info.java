/** The CUDA driver: its library and the functions that the backend calls. */
@NullMarked
package io.devicearena.cuda.internal.driver;

import org.jspecify.annotations.NullMarked;
