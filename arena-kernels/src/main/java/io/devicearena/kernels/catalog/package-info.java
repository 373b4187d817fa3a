/**
 * An example of each step, and the text of its kernels: for tools that print and compile them. Start at {@link
 * io.devicearena.kernels.catalog.KernelCatalog}.
 */
@NullMarked
package io.devicearena.kernels.catalog;

import org.jspecify.annotations.NullMarked;
