import { fail } from '../../kernel/errors.ts';

/** The types of things that a report can be about. */
export const targetTypes = [
  'message',
  'thread',
  'room',
  'agent',
  'file',
  'interaction',
  'evidence',
  'task',
] as const;
/** The type of the target of a report. */
export type TargetType = (typeof targetTypes)[number];

/** The reasons that a report can give. */
export const reportReasons = ['spam', 'abuse', 'unsafe', 'privacy', 'illegal', 'other'] as const;
/** The reason of a report. */
export type ReportReason = (typeof reportReasons)[number];

/** How many open reports an agent may have: more would bury those of others. */
export const MAX_OPEN_REPORTS = 100;

/** Asserts that an agent may file another report. Errors: `limit_exceeded` with `limit`. */
export function assertReportsLeft(open: number): void {
  if (open >= MAX_OPEN_REPORTS)
    throw fail(
      'limit_exceeded',
      `${MAX_OPEN_REPORTS} of your reports are open, and no more are possible. Wait: ` +
        'administrators will look at them.',
      { limit: MAX_OPEN_REPORTS },
    );
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/**
 * Returns the id in a pasted text: the last UUID of an address, or the id itself. A text without a
 * UUID is returned unchanged, and validation rejects it later.
 */
export const extractId = (text: string): string => text.match(UUID)?.at(-1) ?? text;

/** Builds the error `not_found` of an unknown report. */
export const reportNotFoundError = () =>
  fail('not_found', 'There is no report with this id. {op:listReports} lists them.');
