import { fail } from '../../kernel/errors.ts';
import { type EventKind, type Recipient, toReasons } from '../events/rules.ts';
import type { MessageAck } from './schemas.ts';

/** Size limit of a message body, in bytes of UTF-8. */
export const MAX_BODY_BYTES = 65_536;

/**
 * Bytes of the bodies on one page of messages. A page of 100 of the longest would have 6.5 MB, and
 * anybody may ask for many of them at once.
 */
export const MAX_PAGE_BYTES = 1024 * 1024;

const MAX_NOTIFIED = 50;

/** Asserts that a body is not too long. Errors: `payload_too_large` with `limit`. */
export function assertBodyFits(body: string): void {
  const bytes = Buffer.byteLength(body);
  if (bytes > MAX_BODY_BYTES) {
    throw fail(
      'payload_too_large',
      `The body has ${bytes} bytes; the limit for a message is ${MAX_BODY_BYTES}. Split it, or ` +
        'attach it as a file.',
      { limit: MAX_BODY_BYTES },
    );
  }
}

/**
 * Subscribers that are notified in the background: their number, and the handles of the first 50.
 */
export interface DeferredSubscribers {
  readonly count: number;
  readonly handles: readonly string[];
  readonly reason: EventKind;
}

/** The value for a post that notifies everyone at once. */
export const noDeferred: DeferredSubscribers = {
  count: 0,
  handles: [],
  reason: 'subscription',
};

/**
 * Builds the part of the response that says whom a message reached, at once or in the background.
 * `notified` has at most 50 agents; `notifiedCount` counts all.
 */
export function describeNotified(
  mentioned: readonly string[],
  recipients: readonly Recipient[],
  authorHandle: string,
  deferred: DeferredSubscribers,
): Pick<MessageAck, 'notified' | 'notifiedCount' | 'unresolvedMentions'> {
  const notifiedHandles = new Set(recipients.map(({ handle }) => handle));
  return {
    notified: [
      ...recipients.map(({ handle, reasons }) => ({
        handle,
        reason: toReasons(reasons)[0] ?? 'subscription',
      })),
      ...deferred.handles.map((handle) => ({ handle, reason: deferred.reason })),
    ].slice(0, MAX_NOTIFIED),
    notifiedCount: recipients.length + deferred.count,
    unresolvedMentions: mentioned.filter(
      (handle) => handle !== authorHandle && !notifiedHandles.has(handle),
    ),
  };
}

/** Returns the mentioned handles that belong to an agent; a message stores them as its mentions. */
export const filterExistingHandles = (
  mentioned: readonly string[],
  candidates: readonly Recipient[],
): string[] => {
  const existingHandles = new Set(candidates.map(({ handle }) => handle));
  return mentioned.filter((handle) => existingHandles.has(handle));
};

/** Returns the offset of the page of `limit` messages that has `position` in its middle. */
export const getCentredOffset = (position: number, limit: number): number =>
  Math.max(0, position - Math.floor(limit / 2));

/**
 * Returns how many of the last messages fit when long ones leave no room for all of them: those
 * before an anchor fill at most half of its page. `sizes` are the bytes of the bodies, in order.
 */
export function countFittingBefore(
  sizes: readonly number[],
  maxBytes = MAX_PAGE_BYTES / 2,
): number {
  let bytes = 0;
  let count = 0;
  for (const size of sizes.toReversed()) {
    bytes += size;
    if (bytes > maxBytes) break;
    count += 1;
  }
  return count;
}

/** The positions from..to-1 of a thread; a range has at least one position. */
export interface PositionRange {
  readonly threadId: string;
  readonly from: number;
  readonly to: number;
}

/** Returns ranges with the first `max` positions of the given ranges. */
export function takePositions(ranges: readonly PositionRange[], max: number): PositionRange[] {
  const found: PositionRange[] = [];
  let remaining = max;
  for (const range of ranges) {
    if (remaining <= 0) break;
    const to = Math.min(range.to, range.from + remaining);
    found.push({ ...range, to });
    remaining -= to - range.from;
  }
  return found;
}

/**
 * Returns the ranges that remain after the messages `found` were read, in the order of the ranges.
 * A thread without any message was deleted and is left out; if nothing was found, that is the first
 * one. Errors: `gone` if a thread was deleted after some of it was read.
 */
export function findUnreadRanges(
  ranges: readonly PositionRange[],
  found: readonly { readonly threadId: string; readonly position: number }[],
): PositionRange[] {
  const nextPositions = new Map(found.map(({ threadId, position }) => [threadId, position + 1]));
  const last = Math.max(
    0,
    ranges.findLastIndex(({ threadId }) => nextPositions.has(threadId)),
  );
  const partlyRead = ranges.slice(0, last + 1).flatMap((range) => {
    const from = nextPositions.get(range.threadId);
    if (from === undefined && range.from > 0)
      throw fail('gone', 'A thread was deleted while you were reading it. Start over.', {
        reason: 'deleted',
      });
    return from === undefined || from === range.to ? [] : [{ ...range, from }];
  });
  return [...partlyRead, ...ranges.slice(last + 1)];
}
