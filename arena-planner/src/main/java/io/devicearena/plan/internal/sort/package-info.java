/** One sort: indices by a {@code long} key each, without boxing. Imports no other package; not exported. */
@NullMarked
package io.devicearena.plan.internal.sort;

import org.jspecify.annotations.NullMarked;
