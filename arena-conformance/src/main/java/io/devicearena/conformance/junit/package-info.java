/**
 * What a run of the kit is made of, for runners and reports: clauses, subjects, and what was not tested or only tried.
 */
@NullMarked
package io.devicearena.conformance.junit;

import org.jspecify.annotations.NullMarked;
