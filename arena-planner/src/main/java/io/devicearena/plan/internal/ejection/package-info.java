/** Local search: {@link io.devicearena.plan.internal.ejection.LocalSearch} makes a placement lower. Not exported. */
@NullMarked
package io.devicearena.plan.internal.ejection;

import org.jspecify.annotations.NullMarked;
