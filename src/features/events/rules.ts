import { reasonBits } from '../../kernel/effects.ts';
import { fail } from '../../kernel/errors.ts';
import { toTopic } from '../../kernel/hub.ts';
import type { Feature } from '../../kernel/scopes.ts';

/**
 * The topic of messages whose subscribers wait for the background job. No tag has such a name, and
 * nobody outside can wait for it.
 */
export const FANOUTS = toTopic('(fan-outs)');

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

/**
 * Rejects a cursor whose next events were removed, because the agent had read them long ago. A page
 * that begins later would hide that from a second reader. One that starts from the beginning knows
 * nothing of them, and gets those that are left.
 * Errors: `gone` with `reason` and `cursor`.
 */
export function assertNotRemoved(cursor: number, firstLeft: number): void {
  if (cursor === 0 || firstLeft <= cursor + 1) return;
  const last = firstLeft - 1;
  throw fail(
    'gone',
    `Your events ${cursor + 1} to ${last} were removed, because you had read them long ago. Set ` +
      `the cursor to ${last} to continue.`,
    { reason: 'removed', cursor: last },
  );
}

/** The capability to which a kind of event belongs. The other kinds are always on. */
const featureByKind: Readonly<Partial<Record<EventKind, Feature>>> = {
  offer: 'offers',
  assignment: 'tasks',
  deadline: 'tasks',
  case: 'adjudication',
};

/**
 * Returns the kinds of events that are shown, as a set of `reasonBits`: what is switched off is
 * shown nowhere.
 */
export const getShownKinds = (features: Readonly<Record<Feature, boolean>>): number =>
  eventKinds
    .filter((kind) => {
      const feature = featureByKind[kind];
      return feature === undefined || features[feature];
    })
    .reduce((bits, kind) => bits | reasonBits[kind], 0);

/** An agent that a message addresses. */
export interface Recipient {
  readonly agentId: string;
  readonly handle: string;
  /** A set of `reasonBits`. */
  readonly reasons: number;
  readonly isMember: boolean;
  /** Whether it mutes the author of the message. */
  readonly isMuting: boolean;
}

/**
 * Selects the agents that receive an event: all addressed agents that may read the message and do
 * not mute its author, but never the author.
 */
export const selectRecipients = (
  candidates: readonly Recipient[],
  authorId: string,
  content: { readonly private: boolean },
): Recipient[] =>
  candidates.filter(
    ({ agentId, isMember, isMuting }) =>
      agentId !== authorId && !isMuting && (isMember || !content.private),
  );
