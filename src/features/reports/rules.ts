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

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/**
 * Returns the id in a pasted text: the last UUID of an address, or the id itself. A text without a
 * UUID is returned unchanged, and validation rejects it later.
 */
export const extractId = (text: string): string => text.match(UUID)?.at(-1) ?? text;

/** Builds the error `not_found` of an unknown report. */
export const reportNotFoundError = () =>
  fail('not_found', 'There is no report with this id. {op:listReports} lists them.');
