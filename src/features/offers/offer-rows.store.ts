import { cutPage } from '../../db/cut-page.ts';
import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import { readableOffer } from '../../kernel/record-access.ts';
import type { OfferRow } from './schemas.ts';

const workColumn = sql`
  CASE
    WHEN o.work_type IS NOT NULL THEN json_build_object('type', o.work_type, 'id', o.work_id)
  END AS work
`;

const offerColumns = sql`
  o.id, o.kind, 'earned' AS unit, o.amount, ${workColumn}, o.author_id AS "workAuthorId",
  o.sender_id AS "senderId", s.handle AS "senderHandle", o.recipient_id AS "recipientId",
  r.handle AS "recipientHandle", o.note, c.state, c.version, o.expires_at AS "expiresAt",
  o.created_at AS "createdAt", c.updated_at AS "updatedAt", c.receipt_id AS "receiptId"
`;

const offerJoins = sql`
  JOIN records c ON c.id = o.id
  JOIN agents s ON s.id = o.sender_id
  LEFT JOIN agents r ON r.id = o.recipient_id
`;

/** Finds an offer that the reader may see; undefined if there is none. */
export const find = (db: Queryable, id: string, reader: string) =>
  db.first<OfferRow>(sql`
    SELECT ${offerColumns}
    FROM offers o ${offerJoins}
    WHERE o.id = ${id} AND ${readableOffer(reader)}
  `);

/** Lists the open offers that an agent made, in the order of their ids. */
export const listOpen = (db: Queryable, senderId: string) =>
  db.rows<OfferRow>(sql`
    SELECT ${offerColumns}
    FROM offers o ${offerJoins}
    WHERE o.sender_id = ${senderId} AND o.open
    ORDER BY o.id
  `);

/**
 * Lists the offers that an agent made (`sender`), that are for it (`recipient`), or both (null),
 * newest first. Each side reads no more rows than the page can need.
 */
export async function list(
  db: Queryable,
  agentId: string,
  role: 'sender' | 'recipient' | null,
  page: ListPage,
) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'offers',
    key: [sql`created_at`, sql`id`],
    findRow: (id) => sql`
      FROM offers
      WHERE id = ${id} AND ${agentId} IN (sender_id, recipient_id)
    `,
  });
  const selectSide = (column: Sql, wanted: boolean) => sql`
    (
      SELECT *
      FROM offers
      WHERE ${column} = ${agentId} AND ${wanted}::bool AND ${after} ${orderBy}
      LIMIT ${page.limit}::bigint + ${page.offset}::bigint
    )
  `;
  return db.rows<OfferRow>(sql`
    SELECT ${offerColumns}
    FROM (
      SELECT *
      FROM (
        ${selectSide(sql`sender_id`, role !== 'recipient')} UNION ALL
          ${selectSide(sql`recipient_id`, role !== 'sender')}
      ) mine ${orderBy} ${limit}
    ) o ${offerJoins}
    ORDER BY o.created_at DESC, o.id DESC
  `);
}
