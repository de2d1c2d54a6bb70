import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Visibility } from '../../kernel/access.ts';
import type { PortableKind, SubjectType } from '../../kernel/receipt-kinds.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { PortableEvent } from './receipt-payload.ts';

/** An act with what decides who may read its receipt. */
export interface StoredEvent extends PortableEvent {
  readonly kind: PortableKind;
  readonly subject: { readonly type: SubjectType; readonly id: string };
  readonly visibility: Visibility;
}

interface EventRow extends Omit<StoredEvent, 'issuer' | 'realm' | 'actor' | 'subject'> {
  readonly issuer: string | null;
  readonly realm: string;
  readonly actorId: string | null;
  readonly actorHandle: string;
  readonly subjectType: SubjectType;
  readonly subjectId: string;
}

const select = (db: Queryable, ids: readonly string[]) =>
  db.rows<EventRow>(sql`SELECT p.id, p.kind, p.visibility, p.issuer, p.realm, p.occurred_at AS "occurredAt", p.actor_id AS "actorId", a.handle AS "actorHandle",
      p.subject_type AS "subjectType", p.subject_id AS "subjectId", encode(p.content_sha256, 'hex') AS "contentSha256"
    FROM portable_events p LEFT JOIN agents a ON a.id = p.actor_id WHERE p.id = ANY(${ids}::uuid[]) ORDER BY p.id`);

const toEvent = ({
  issuer,
  actorId,
  actorHandle,
  subjectType,
  subjectId,
  ...row
}: EventRow): StoredEvent => ({
  ...row,
  issuer: issuer as string,
  actor: actorId === null ? null : { id: actorId, handle: actorHandle },
  subject: { type: subjectType, id: subjectId },
});

/**
 * These acts, in the order of their ids. Acts from before it was noted who answers for them get this installation now, once and for all:
 * what a receipt says never changes.
 */
export async function listEvents(
  db: Queryable,
  ids: readonly string[],
  { baseUrl, realm }: Pick<Installation, 'baseUrl' | 'realm'>,
): Promise<StoredEvent[]> {
  const rows = await select(db, ids);
  const unsettled = rows.filter(({ issuer }) => issuer === null).map(({ id }) => id);
  if (unsettled.length === 0) return rows.map(toEvent);
  await db.run(
    sql`UPDATE portable_events SET issuer = ${baseUrl}, realm = ${realm} WHERE id = ANY(${unsettled}::uuid[]) AND issuer IS NULL`,
  );
  return (await select(db, ids)).map(toEvent);
}

/** The place of an act in the stream of an agent whom it concerns. `seq` goes up in the order of commits. */
export interface NewRecipient {
  readonly agentId: string;
  readonly seq: number;
  readonly eventId: string;
}

/** Adds acts to the streams of those whom they concern. Only by the one writer who numbers them: a reader must never see 12 before 11. */
export const insertRecipients = (tx: Transaction, rows: readonly NewRecipient[]): void =>
  tx.send(sql`INSERT INTO portable_recipients (agent_id, seq, event_id)
    SELECT * FROM unnest(${rows.map(({ agentId }) => agentId)}::uuid[], ${rows.map(({ seq }) => seq)}::bigint[], ${rows.map(({ eventId }) => eventId)}::uuid[])`);

interface Place {
  /** The newest number in the agent's stream; 0 before the first. */
  readonly head: number;
  readonly seq: number | null;
  readonly eventId: string | null;
}

/** Up to `limit` places after the cursor and the stream's head, in one snapshot; one row with `seq` null when there are none. */
export const listPlaces = (db: Queryable, agentId: string, cursor: number, limit: number) =>
  db.rows<Place>(sql`SELECT h.head, e.seq, e."eventId" FROM (SELECT coalesce(max(seq), 0) AS head FROM portable_recipients WHERE agent_id = ${agentId}) h
    LEFT JOIN LATERAL (SELECT seq, event_id AS "eventId" FROM portable_recipients
      WHERE agent_id = ${agentId} AND seq > ${cursor} ORDER BY seq LIMIT ${limit}) e ON true ORDER BY e.seq`);

export interface StoredSignature {
  readonly eventId: string;
  readonly kid: string;
  readonly signature: Buffer;
}

/** The signatures that these acts have already. */
export const listSignatures = (db: Queryable, eventIds: readonly string[]) =>
  db.rows<StoredSignature>(sql`SELECT s.event_id AS "eventId", k.kid, s.signature
    FROM portable_signatures s JOIN signing_keys k ON k.id = s.key_id WHERE s.event_id = ANY(${eventIds}::uuid[])`);

export interface NewSignature {
  readonly eventId: string;
  readonly keyId: number;
  readonly signature: Buffer;
}

/** Keeps signatures, unless an act has one by now: that one stays. In the order of ids, so that two nodes never wait for each other in a circle. */
export const insertSignatures = (db: Queryable, rows: readonly NewSignature[]): Promise<number> =>
  db.run(sql`INSERT INTO portable_signatures (event_id, key_id, signature)
    SELECT * FROM unnest(${rows.map(({ eventId }) => eventId)}::uuid[], ${rows.map(({ keyId }) => keyId)}::int[], ${rows.map(({ signature }) => signature)}::bytea[])
      AS s (event_id, key_id, signature) ORDER BY event_id
    ON CONFLICT DO NOTHING`);
