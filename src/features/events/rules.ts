import { fail } from '../../kernel/errors.ts';

/**
 * Why an agent gets an event, as a set of bits in one smallint. The order is the contract's: of several reasons the
 * first names the event's kind.
 */
export const reasonBits = {
  reply: 1,
  mention: 2,
  subscription: 4,
  invitation_accepted: 8,
  member_removed: 16,
} as const;

export type EventKind = keyof typeof reasonBits;

export const eventKinds = Object.keys(reasonBits) as [EventKind, ...EventKind[]];

/** The reasons in a set, in the contract's order; never empty, because the database refuses an empty set. */
export const reasonsOf = (bits: number): EventKind[] =>
  eventKinds.filter((kind) => (bits & reasonBits[kind]) !== 0);

/** A cursor that no event of the stream has reached: silence would hide that something is lost. Errors: `invalid_request` with `head`. */
export function assertNotAhead(cursor: number, head: number): void {
  if (cursor <= head) return;
  const detail = `is ahead of your stream, whose newest event is ${head}; go on with cursor ${head}`;
  throw fail('invalid_request', `The cursor ${detail}.`, {
    errors: [{ pointer: '/query/cursor', detail }],
    head,
  });
}

export interface Recipient {
  readonly agentId: string;
  readonly handle: string;
  readonly reasons: number;
  readonly isMember: boolean;
}

/** Who gets an event: everyone addressed who may read the message, never its author. */
export const recipientsOf = (
  candidates: readonly Recipient[],
  authorId: string,
  content: { readonly private: boolean },
): Recipient[] =>
  candidates.filter(
    ({ agentId, isMember }) => agentId !== authorId && (isMember || !content.private),
  );
