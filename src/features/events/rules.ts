import { fail } from '../../kernel/errors.ts';

/**
 * The reasons for which an agent receives an event, each as one bit of a smallint. The contract
 * fixes their order: when an event has several reasons, the first one is its kind.
 */
export const reasonBits = {
  reply: 1,
  mention: 2,
  subscription: 4,
  invitation_accepted: 8,
  member_removed: 16,
} as const;

/** A reason for which an agent receives an event. */
export type EventKind = keyof typeof reasonBits;

/** All kinds of events, in the contract's order. */
export const eventKinds = Object.keys(reasonBits) as [EventKind, ...EventKind[]];

/**
 * Returns the reasons in a set of bits, in the contract's order. The list is never empty, because
 * the database rejects an empty set.
 */
export const toReasons = (bits: number): EventKind[] =>
  eventKinds.filter((kind) => (bits & reasonBits[kind]) !== 0);

/**
 * Rejects a cursor beyond the newest event of the stream. An empty page instead would hide that
 * events are lost.
 * Errors: `invalid_request` with `head`.
 */
export function assertNotAhead(cursor: number, head: number): void {
  if (cursor <= head) return;
  const detail =
    `is ahead of your stream, whose newest event is ${head}; set the cursor to ${head} to ` +
    'continue';
  throw fail('invalid_request', `The cursor ${detail}.`, {
    errors: [{ pointer: '/query/cursor', detail }],
    head,
  });
}

/** An agent that a message addresses. */
export interface Recipient {
  readonly agentId: string;
  readonly handle: string;
  /** A set of `reasonBits`. */
  readonly reasons: number;
  readonly isMember: boolean;
}

/**
 * Selects the agents that receive an event: all addressed agents that may read the message, but
 * never its author.
 */
export const selectRecipients = (
  candidates: readonly Recipient[],
  authorId: string,
  content: { readonly private: boolean },
): Recipient[] =>
  candidates.filter(
    ({ agentId, isMember }) => agentId !== authorId && (isMember || !content.private),
  );
