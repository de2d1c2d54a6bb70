import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { readableInteraction, readableOffer, readableThread } from '../../kernel/access.ts';
import type { OfferRow } from './schemas.ts';

type Work = NonNullable<OfferRow['work']>;

const work = sql`CASE WHEN o.work_type IS NOT NULL THEN json_build_object('type', o.work_type, 'id', o.work_id) END AS work`;

const row = sql`o.id, o.kind, 'earned' AS unit, o.amount, ${work}, o.author_id AS "workAuthorId", o.sender_id AS "senderId", s.handle AS "senderHandle", o.recipient_id AS "recipientId",
  r.handle AS "recipientHandle", o.note, c.state, c.version, o.expires_at AS "expiresAt", o.created_at AS "createdAt", c.updated_at AS "updatedAt", c.receipt_id AS "receiptId"`;

const around = sql`JOIN records c ON c.id = o.id JOIN agents s ON s.id = o.sender_id LEFT JOIN agents r ON r.id = o.recipient_id`;

/** An offer that the reader may know of. */
export const find = (db: Queryable, id: string, reader: string) =>
  db.first<OfferRow>(
    sql`SELECT ${row} FROM offers o ${around} WHERE o.id = ${id} AND ${readableOffer(reader)}`,
  );

/** The same, held until the commit. It is read by a statement of its own: the one that waits for the lock sees it as it was before it waited. */
export async function lock(
  tx: Transaction,
  id: string,
  reader: string,
): Promise<OfferRow | undefined> {
  const [, offer] = await Promise.all([
    tx.run(sql`SELECT 1 FROM offers WHERE id = ${id} FOR NO KEY UPDATE`),
    find(tx, id, reader),
  ]);
  return offer;
}

/** Offers that an agent made (`sender`), that are for it (`recipient`), or both (null), newest first. Each side gives no more than the page can need. */
export function list(
  db: Queryable,
  agentId: string,
  role: 'sender' | 'recipient' | null,
  offset: number,
  limit: number,
) {
  const side = (
    column: Sql,
    wanted: boolean,
  ) => sql`(SELECT * FROM offers WHERE ${column} = ${agentId} AND ${wanted}::bool
    ORDER BY created_at DESC, id DESC LIMIT ${limit}::bigint + ${offset}::bigint)`;
  return db.rows<OfferRow>(sql`SELECT ${row} FROM (
      SELECT * FROM (${side(sql`sender_id`, role !== 'recipient')} UNION ALL ${side(sql`recipient_id`, role !== 'sender')}) mine
      ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}) o
    ${around} ORDER BY o.created_at DESC, o.id DESC`);
}

export interface NewOffer {
  readonly id: string;
  readonly kind: OfferRow['kind'];
  readonly senderId: string;
  readonly recipientId: string | null;
  readonly amount: number;
  readonly work: Work | null;
  readonly workAuthorId: string | null;
  readonly note: string | null;
  readonly expiresAt: string | null;
  readonly now: string;
}

/** Its record is made before. */
export const insert = (tx: Transaction, o: NewOffer): void =>
  tx.send(sql`INSERT INTO offers (id, kind, sender_id, recipient_id, amount, work_type, work_id, author_id, note, expires_at, due_at, created_at)
    VALUES (${o.id}, ${o.kind}, ${o.senderId}, ${o.recipientId}, ${o.amount}, ${o.work?.type ?? null}, ${o.work?.id ?? null}, ${o.workAuthorId}, ${o.note}, ${o.expiresAt}, ${o.expiresAt}, ${o.now})`);

/** Notes for whom it is now, and whether time can still end it. */
export const update = (
  tx: Transaction,
  id: string,
  { recipientId, open }: { readonly recipientId: string | null; readonly open: boolean },
): void =>
  tx.send(
    sql`UPDATE offers SET recipient_id = ${recipientId}, due_at = CASE WHEN ${open}::bool THEN expires_at END WHERE id = ${id}`,
  );

/** A gift whose time is over by `now`, held until the commit; one that somebody holds is left to them. */
export const lockDue = async (tx: Transaction, now: string): Promise<OfferRow | undefined> => {
  const due = await tx.first<{ id: string; sender: string }>(
    sql`SELECT id, sender_id AS sender FROM offers WHERE due_at <= ${now} ORDER BY due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
  );
  return due && find(tx, due.id, due.sender);
};

const inThread = sql`JOIN threads t ON t.id = m.thread_id JOIN rooms r ON r.id = t.room_id`;

/** Who made a thing, for those who may read it. */
const makers: Readonly<Record<Work['type'], (id: string, reader: string) => Sql>> = {
  message: (id, reader) =>
    sql`SELECT m.author_id AS id FROM messages m ${inThread} WHERE m.id = ${id} AND m.deleted_at IS NULL AND ${readableThread(reader)}`,
  file: (
    id,
    reader,
  ) => sql`SELECT f.author_id AS id FROM files f JOIN messages m ON m.id = f.message_id ${inThread}
    WHERE f.id = ${id} AND m.deleted_at IS NULL AND ${readableThread(reader)}`,
  interaction: (id, reader) =>
    sql`SELECT i.author_id AS id FROM interactions i WHERE i.id = ${id} AND ${readableInteraction(reader)}`,
};

/** The author of a work that the reader may read now; null when there is none. */
export const authorOf = async (
  db: Queryable,
  { type, id }: Work,
  reader: string,
): Promise<string | null> => (await db.first<{ id: string }>(makers[type](id, reader)))?.id ?? null;
