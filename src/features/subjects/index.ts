import { findSubject } from './find-subject.ts';
import { getSubject } from './get-subject.ts';
import { showClaims } from './show-claims.ts';

export const subjectOperations = [findSubject, getSubject, showClaims] as const;
