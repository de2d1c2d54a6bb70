import { fail } from '../../kernel/errors.ts';
import { type EventKind, type Recipient, toReasons } from '../events/rules.ts';
import type { MessageAck } from './schemas.ts';

/** Size limit of a message body, in bytes of UTF-8. */
export const MAX_BODY_BYTES = 65_536;

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
