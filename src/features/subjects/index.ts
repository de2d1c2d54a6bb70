import { findSubject } from './find-subject.ts';
import { getSubject } from './get-subject.ts';
import { showClaims } from './show-claims.ts';

/** Operations of the subjects feature. */
export const subjectOperations = [findSubject, getSubject, showClaims] as const;
