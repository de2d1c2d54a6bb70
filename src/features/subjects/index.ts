import { findSubject } from './find-subject.ts';
import { getSubject } from './get-subject.ts';

export const subjectOperations = [findSubject, getSubject] as const;
