import { fail } from '../../kernel/errors.ts';
import { type Recipient, reasonsOf } from '../events/rules.ts';
import type { MessageAck } from './schemas.ts';

export const MAX_BODY_BYTES = 65_536;
const MAX_NOTIFIED = 50;

/** Errors: `payload_too_large` with `limit`. */
export function assertBodyFits(body: string): void {
  const bytes = Buffer.byteLength(body);
  if (bytes > MAX_BODY_BYTES) {
    throw fail('payload_too_large', `The body has ${bytes} bytes, a message may have ${MAX_BODY_BYTES}. Split it, or attach it as a file.`, {
      limit: MAX_BODY_BYTES,
    });
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
      ...recipients.map(({ handle, reasons }) => ({ handle, reason: reasonsOf(reasons)[0] ?? 'subscription' })),
      ...later.handles.map((handle) => ({ handle, reason: 'subscription' as const })),
    ].slice(0, MAX_NOTIFIED),
    notifiedCount: recipients.length + later.count,
    unresolvedMentions: mentioned.filter((handle) => handle !== authorHandle && !told.has(handle)),
  };
}

/** Mentioned handles that belong to an agent: what a message shows as its mentions. */
export const existing = (mentioned: readonly string[], candidates: readonly Recipient[]): string[] => {
  const known = new Set(candidates.map(({ handle }) => handle));
  return mentioned.filter((handle) => known.has(handle));
};

/** Position at which a page of `limit` starts so that `position` stands in its middle. */
export const centred = (position: number, limit: number): number => Math.max(0, position - Math.floor(limit / 2));
