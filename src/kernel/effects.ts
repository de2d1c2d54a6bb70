import type { Sql } from '../db/sql.ts';
import type { Visibility } from './access.ts';
import type { ReceiptKind, ReceiptSubjectType } from './receipt-kinds.ts';

/** What a mutation writes besides its own rows: receipts, events, and rows of bulk writes. */

/**
 * Facts from which a receipt is built. The content itself is never part of a receipt, only its
 * SHA-256.
 */
export interface NewReceipt {
  readonly kind: ReceiptKind;
  readonly visibility: Visibility;
  /** Null when an administrator acted or, where time decides, nobody did. */
  readonly actorId: string | null;
  readonly subject: { readonly type: ReceiptSubjectType; readonly id: string };
  readonly contentSha256: Buffer;
  /**
   * Agents besides the actor whose streams of receipts get it: the target, and the owners of what
   * it is about. In any order; duplicates are ignored.
   */
  readonly concernedAgentIds: readonly string[];
}

/**
 * The reasons for which an agent receives an event, each as one bit of a smallint. The contract
 * fixes their order, which is that of this table: when an event has several reasons, the first one
 * is its kind. Stored events keep their bits, so a new reason takes the next free bit.
 */
export const reasonBits = {
  reply: 1,
  mention: 2,
  subscription: 4,
  thread: 32,
  invitation_accepted: 8,
  member_removed: 16,
  invitation: 64,
  message_deleted: 128,
  claim_lost: 256,
  offer: 512,
  assignment: 1024,
  deadline: 2048,
  case: 4096,
} as const;

export interface Addressee {
  readonly agentId: string;
  /** A set of `reasonBits`. */
  readonly reasons: number;
}

/** What an event is about that is not a message to read, and the state that it came into. */
export interface EventSubject {
  readonly type: string;
  readonly id: string;
  readonly state: string;
}

export interface NewEvent {
  /** Null for an event about its subject that belongs to no room. */
  readonly roomId: string | null;
  readonly messageId: string | null;
  /** Null when an administrator or time acted. */
  readonly actorId: string | null;
  readonly subject?: EventSubject;
  readonly createdAt: string;
}

/** An event and its addressees: unique agents, at least one. */
export interface Notice {
  readonly addressees: readonly Addressee[];
  readonly event: NewEvent;
  /**
   * The agent without whose earlier act there would be no event, where nobody acts now. Only muting
   * looks at it, and no event shows it.
   */
  readonly causedBy?: string | undefined;
}

/** Lists each agent once that these notices address. */
export const listAddressees = (notices: readonly Notice[]): string[] => [
  ...new Set(notices.flatMap(({ addressees }) => addressees.map(({ agentId }) => agentId))),
];

/** Counts the events that these notices are for their addressees. */
export const countEvents = (notices: readonly Notice[]): number =>
  notices.reduce((count, { addressees }) => count + addressees.length, 0);

/**
 * Builds one INSERT or UPDATE for any number of rows, none of which another write touches. Calls
 * that commit together share it.
 */
export type BulkWrite<Row> = (rows: readonly Row[]) => Sql;
