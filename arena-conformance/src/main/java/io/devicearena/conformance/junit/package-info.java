/** What a run of the kit is made of, for runners and reports: clauses, subjects and outcomes. */
@NullMarked
package io.devicearena.conformance.junit;

import org.jspecify.annotations.NullMarked;
