import type { Transaction } from '../db/database.ts';
import { join, raw, type Sql, sql } from '../db/sql.ts';
import type { Visibility } from './access.ts';
import type { RecordKey } from './idempotency.store.ts';

/** Kinds of acts that have a receipt (contract, Receipts). */
export type PortableKind = 'thread.created' | 'message.posted';

/** A durable act: what its receipt will be made from. The content itself is never part of it, only its SHA-256. */
export interface PortableAct {
  readonly kind: PortableKind;
  readonly visibility: Visibility;
  readonly actorId: string;
  readonly subject: { readonly type: 'thread' | 'message'; readonly id: string };
  readonly contentSha256: Buffer;
}

export interface Addressee {
  readonly agentId: string;
  /** A set of bits, see features/events/rules.ts. */
  readonly reasons: number;
}

export interface NewEvent {
  readonly roomId: string;
  readonly messageId: string | null;
  readonly actorId: string;
  readonly createdAt: string;
}

/** An event and whom it is for (unique agents, at least one). */
export interface Notice {
  readonly addressees: readonly Addressee[];
  readonly event: NewEvent;
}

/** What a transaction leaves behind. */
export interface Closing {
  readonly now: string;
  /** Writes of the operation that need not come before the others: each one INSERT or UPDATE, of rows that no other one touches. */
  readonly writes: readonly Sql[];
  readonly acts: readonly (PortableAct & { readonly id: string })[];
  readonly record: (RecordKey & { readonly fingerprint: Buffer; readonly sealedFor: string | null; readonly response: Buffer }) | null;
  readonly notices: readonly Notice[];
}

function insertActs(acts: Closing['acts'], now: string): Sql {
  const column = <T>(read: (act: Closing['acts'][number]) => T): T[] => acts.map(read);
  return sql`INSERT INTO portable_events (id, kind, visibility, actor_id, subject_type, subject_id, content_sha256, occurred_at)
    SELECT *, ${now}::timestamptz FROM unnest(${column(({ id }) => id)}::uuid[], ${column(({ kind }) => kind)}::text[],
      ${column(({ visibility }) => visibility)}::text[], ${column(({ actorId }) => actorId)}::uuid[], ${column(({ subject }) => subject.type)}::text[],
      ${column(({ subject }) => subject.id)}::uuid[], ${column(({ contentSha256 }) => contentSha256)}::bytea[])`;
}

const insertRecord = (record: NonNullable<Closing['record']>, now: string): Sql =>
  sql`INSERT INTO idempotency_records (scope, operation, key, fingerprint, sealed_for, response, created_at)
    VALUES (${record.scope}, ${record.operation}, ${record.key}, ${record.fingerprint}, ${record.sealedFor}, ${record.response}, ${now})`;

/**
 * Each addressee gets the next number of its own stream: the rows are locked in id order, so that two posts never wait for
 * each other in a circle, and stay locked until the commit, so that numbers become visible in order and without gaps.
 */
function eventParts({ addressees, event }: Notice): Sql[] {
  const ids = addressees.map(({ agentId }) => agentId);
  const reasons = addressees.map((addressee) => addressee.reasons);
  return [
    sql`locked AS MATERIALIZED (SELECT agent_id FROM event_heads WHERE agent_id = ANY(${ids}::uuid[]) ORDER BY agent_id FOR NO KEY UPDATE)`,
    sql`heads AS (UPDATE event_heads h SET head = h.head + 1 FROM locked l WHERE h.agent_id = l.agent_id RETURNING h.agent_id, h.head)`,
    sql`told AS (INSERT INTO events (agent_id, seq, reasons, room_id, message_id, actor_id, created_at)
      SELECT h.agent_id, h.head, r.reasons, ${event.roomId}::uuid, ${event.messageId}::uuid, ${event.actorId}::uuid, ${event.createdAt}::timestamptz
      FROM heads h JOIN unnest(${ids}::uuid[], ${reasons}::smallint[]) AS r (agent_id, reasons) ON r.agent_id = h.agent_id)`,
  ];
}

/** Adds one event to the stream of each addressee. */
export const insertEvents = (tx: Transaction, notice: Notice): void => {
  if (notice.addressees.length > 0) tx.send(sql`WITH ${join(eventParts(notice))} SELECT`);
};

/**
 * Last writes, receipts, idempotency record and events in one statement, the last before COMMIT: a busy agent's stream is then
 * locked no longer than the commit takes, and all of it costs one statement's overhead.
 */
export function close(tx: Transaction, { writes, acts, record, notices, now }: Closing): void {
  const [first, ...others] = notices.filter(({ addressees }) => addressees.length > 0);
  const parts = [
    ...writes.map((write, index) => sql`${raw(`write${index}`)} AS (${write})`),
    ...(acts.length ? [sql`acts AS (${insertActs(acts, now)})`] : []),
    ...(record ? [sql`record AS (${insertRecord(record, now)})`] : []),
    ...(first ? eventParts(first) : []),
  ];
  if (parts.length) tx.send(sql`WITH ${join(parts)} SELECT`);
  for (const notice of others) insertEvents(tx, notice);
}
