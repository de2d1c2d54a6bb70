import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Visibility } from '../../kernel/access.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { ReceiptKind, ReceiptSubjectType } from '../../kernel/receipt-kinds.ts';
import type { ReceiptRecord } from './receipt-payload.ts';

/** A receipt with the facts that decide who may read it. */
export interface StoredReceipt extends ReceiptRecord {
  readonly kind: ReceiptKind;
  readonly subject: { readonly type: ReceiptSubjectType; readonly id: string };
  readonly visibility: Visibility;
}

interface ReceiptRow extends Omit<StoredReceipt, 'issuer' | 'realm' | 'actor' | 'subject'> {
  readonly issuer: string | null;
  readonly realm: string;
  readonly actorId: string | null;
  readonly actorHandle: string;
  readonly subjectType: ReceiptSubjectType;
  readonly subjectId: string;
}

const selectReceipts = (db: Queryable, ids: readonly string[]) =>
  db.rows<ReceiptRow>(sql`
    SELECT p.id, p.kind, p.visibility, p.issuer, p.realm, p.occurred_at AS "occurredAt",
      p.actor_id AS "actorId", a.handle AS "actorHandle", p.subject_type AS "subjectType",
      p.subject_id AS "subjectId", encode(p.content_sha256, 'hex') AS "contentSha256"
    FROM portable_events p
    LEFT JOIN agents a ON a.id = p.actor_id
    WHERE p.id = ANY(${ids}::uuid[])
    ORDER BY p.id
  `);

const toStoredReceipt = ({
  issuer,
  actorId,
  actorHandle,
  subjectType,
  subjectId,
  ...row
}: ReceiptRow): StoredReceipt => ({
  ...row,
  // listReceipts fills in a missing issuer before it converts rows.
  issuer: issuer as string,
  actor: actorId === null ? null : { id: actorId, handle: actorHandle },
  subject: { type: subjectType, id: subjectId },
});

/**
 * Lists these receipts in the order of their ids. Receipts from before the issuer was stored get
 * this installation as their issuer now, for good, because a receipt never changes.
 */
export async function listReceipts(
  db: Queryable,
  ids: readonly string[],
  { baseUrl, realm }: Pick<Installation, 'baseUrl' | 'realm'>,
): Promise<StoredReceipt[]> {
  const rows = await selectReceipts(db, ids);
  const withoutIssuer = rows.filter(({ issuer }) => issuer === null).map(({ id }) => id);
  if (withoutIssuer.length === 0) return rows.map(toStoredReceipt);
  await db.run(sql`
    UPDATE portable_events
    SET issuer = ${baseUrl}, realm = ${realm}
    WHERE id = ANY(${withoutIssuer}::uuid[]) AND issuer IS NULL
  `);
  return (await selectReceipts(db, ids)).map(toStoredReceipt);
}
