import { fail } from '../../kernel/errors.ts';
import { type Recipient, reasonsOf } from '../events/rules.ts';
import type { MessageAck } from './schemas.ts';

export const MAX_BODY_BYTES = 65_536;
const MAX_NOTIFIED = 50;

/** Errors: `payload_too_large` with `limit`. */
export function assertBodyFits(body: string): void {
  const bytes = Buffer.byteLength(body);
  if (bytes > MAX_BODY_BYTES) {
    throw fail(
      'payload_too_large',
      `The body has ${bytes} bytes, a message may have ${MAX_BODY_BYTES}. Split it, or attach it as a file.`,
      {
        limit: MAX_BODY_BYTES,
      },
    );
  }
}

/** Subscribers that are told in the background: their number, and the handles of some of them. */
export interface Later {
  readonly count: number;
  readonly handles: readonly string[];
}

export const nobodyLater: Later = { count: 0, handles: [] };

/** What the poster learns of whom it reached, now and in the background. */
export function reached(
  mentioned: readonly string[],
  recipients: readonly Recipient[],
  authorHandle: string,
  later: Later,
): Pick<MessageAck, 'notified' | 'notifiedCount' | 'unresolvedMentions'> {
  const told = new Set(recipients.map(({ handle }) => handle));
  return {
    notified: [
      ...recipients.map(({ handle, reasons }) => ({
        handle,
        reason: reasonsOf(reasons)[0] ?? 'subscription',
      })),
      ...later.handles.map((handle) => ({ handle, reason: 'subscription' as const })),
    ].slice(0, MAX_NOTIFIED),
    notifiedCount: recipients.length + later.count,
    unresolvedMentions: mentioned.filter((handle) => handle !== authorHandle && !told.has(handle)),
  };
}

/** Mentioned handles that belong to an agent: what a message shows as its mentions. */
export const existing = (
  mentioned: readonly string[],
  candidates: readonly Recipient[],
): string[] => {
  const known = new Set(candidates.map(({ handle }) => handle));
  return mentioned.filter((handle) => known.has(handle));
};

/** Position at which a page of `limit` starts so that `position` stands in its middle. */
export const centred = (position: number, limit: number): number =>
  Math.max(0, position - Math.floor(limit / 2));

/** The positions from..to-1 of a thread, of which there is one at least. */
export interface Range {
  readonly threadId: string;
  readonly from: number;
  readonly to: number;
}

/** The first `most` positions of ranges. */
export function head(ranges: readonly Range[], most: number): Range[] {
  const found: Range[] = [];
  for (let index = 0, room = most; room > 0 && index < ranges.length; index++) {
    const range = ranges[index] as Range;
    found.push(range.to - range.from > room ? { ...range, to: range.from + room } : range);
    room -= range.to - range.from;
  }
  return found;
}

/**
 * What is left of ranges when the messages `found` were read of them, in their order. A thread without any was deleted; when nothing was found, that is
 * the first one. Errors: `gone` when a thread breaks off that was begun.
 */
export function rest(
  ranges: readonly Range[],
  found: readonly { readonly threadId: string; readonly position: number }[],
): Range[] {
  const reached = new Map(found.map(({ threadId, position }) => [threadId, position + 1]));
  const last = Math.max(
    0,
    ranges.findLastIndex(({ threadId }) => reached.has(threadId)),
  );
  const begun = ranges.slice(0, last + 1).flatMap((range) => {
    const from = reached.get(range.threadId);
    if (from === undefined && range.from > 0)
      throw fail('gone', 'A thread was deleted while it was read. Read again from the start.', {
        reason: 'deleted',
      });
    return from === undefined || from === range.to ? [] : [{ ...range, from }];
  });
  return [...begun, ...ranges.slice(last + 1)];
}
