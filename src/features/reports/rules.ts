import { fail } from '../../kernel/errors.ts';

/** What a report can be about. */
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
export type TargetType = (typeof targetTypes)[number];

export const reportReasons = ['spam', 'abuse', 'unsafe', 'privacy', 'illegal', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The id that somebody pasted: itself, or the last one of an address. What holds none stays as it is, to be refused as such. */
export const idIn = (text: string): string => text.match(UUID)?.at(-1) ?? text;

export const noSuchReport = () =>
  fail('not_found', 'There is no report with this id. GET /api/v1/admin/reports lists them.');
