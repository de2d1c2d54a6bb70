import type { SeededRandom } from '../../bench/content/varied-text.ts';
import type { Call } from '../../test/support/linearizability.ts';
import type { ClaimOperation } from '../claims/claim-model.ts';
import type { Caller } from './caller.ts';
import type { Actor, Cast } from './cast.ts';
import type { Json } from './send.ts';

/** A message that was acknowledged. */
export interface Posted {
  readonly author: Actor;
  readonly threadId: string;
  readonly id: string;
  readonly position: number;
  readonly receiptId: string;
  readonly body: string;
}

/** A file that was acknowledged. */
export interface Stored {
  readonly owner: Actor;
  readonly id: string;
  readonly sha256: string;
}

/** What a reader of events saw, in the order in which it came. */
export interface Followed {
  readonly reader: Actor;
  readonly events: Json[];
  cursor: number;
}

/** What those who act remember, for the checks. */
export interface Memory {
  readonly posted: Posted[];
  /** Messages whose authors took them back. */
  readonly deleted: Set<string>;
  readonly stored: Stored[];
  readonly followed: Followed[];
  /** What was asked of each request, by the id of its message. */
  readonly claims: Map<string, Call<ClaimOperation>[]>;
  /** Claims that took requests without saying which, because the answer was lost. */
  readonly anyClaim: Call<ClaimOperation>[];
  /** Earned units by the id of the agent, from what was acknowledged. */
  readonly earned: Map<string, number>;
  /** How often each interaction was revised, and the words of each revision. */
  readonly revised: Map<string, string[]>;
  /** Who is a member of a room at the end, by what was acknowledged last. */
  readonly memberships: Map<string, boolean>;
  /** The last value and version of each key of a guest, by the guest's key. */
  readonly entries: Map<string, { readonly value: unknown; readonly version: number } | null>;
  /** Checkpoints of the log, as they were seen. */
  readonly checkpoints: Set<string>;
}

/** Where somebody acts until it is over. */
export interface Stage {
  readonly caller: Caller;
  readonly cast: Cast;
  readonly canary: string;
  readonly random: SeededRandom;
  readonly memory: Memory;
  isOver(): boolean;
}

/** Creates an empty memory. */
export const createMemory = (): Memory => ({
  posted: [],
  deleted: new Set(),
  stored: [],
  followed: [],
  claims: new Map(),
  anyClaim: [],
  earned: new Map(),
  revised: new Map(),
  memberships: new Map(),
  entries: new Map(),
  checkpoints: new Set(),
});
