/**
 * Name of the rule that computes a value. The meaning of a name never changes: another formula gets
 * another name.
 */
export const REPUTATION_METHOD = 'wilson-lb/2';

/** Known independent operators that a value needs. */
export const MIN_KNOWN_OPERATORS = 3;

/** Number of newest findings that a projection shows. */
export const MAX_RECENT_FINDINGS = 20;
