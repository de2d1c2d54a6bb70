import type { Transaction } from '../../../db/database.ts';
import { join, raw, type Sql, sql } from '../../../db/sql.ts';
import type { RecordKey } from '../../callers/callers.store.ts';
import type { BulkWrite, NewReceipt, Notice } from '../../effects.ts';

/** What a handler leaves behind when its transaction closes. */
export interface CommitEffects {
  readonly now: string;
  readonly writes: readonly { readonly statement: BulkWrite<unknown>; readonly row: unknown }[];
  readonly receipts: readonly (NewReceipt & { readonly id: string })[];
  /** Who answers for the acts: the installation's address and realm at this moment. */
  readonly issuer: { readonly baseUrl: string; readonly realm: string };
  readonly record:
    | (RecordKey & {
        readonly fingerprint: Buffer;
        readonly sealedFor: string | null;
        readonly response: Buffer;
      })
    | null;
  readonly notices: readonly Notice[];
}

/** The columns of some rows, as `unnest` takes them. */
const toColumn =
  <Row>(rows: readonly Row[]) =>
  <T>(read: (row: Row) => T): T[] =>
    rows.map(read);

function insertReceipts(
  acts: readonly (CommitEffects['receipts'][number] & Pick<CommitEffects, 'now' | 'issuer'>)[],
): Sql {
  const column = toColumn(acts);
  return sql`
    INSERT INTO portable_events (
      id, kind, visibility, actor_id, subject_type, subject_id, content_sha256, occurred_at, issuer,
      realm
    )
    SELECT *
    FROM unnest(
      ${column(({ id }) => id)}::uuid[], ${column(({ kind }) => kind)}::text[],
      ${column(({ visibility }) => visibility)}::text[],
      ${column(({ actorId }) => actorId)}::uuid[], ${column(({ subject }) => subject.type)}::text[],
      ${column(({ subject }) => subject.id)}::uuid[],
      ${column(({ contentSha256 }) => contentSha256)}::bytea[],
      ${column(({ now }) => now)}::timestamptz[], ${column(({ issuer }) => issuer.baseUrl)}::text[],
      ${column(({ issuer }) => issuer.realm)}::text[]
    )
  `;
}

/**
 * Acts wait here for their place in the log; a table without an index, since whoever takes them
 * takes all.
 */
function queueReceipts(acts: CommitEffects['receipts']): Sql {
  const listConcerned = ({ actorId, concernedAgentIds }: NewReceipt) => [
    ...new Set(actorId === null ? concernedAgentIds : [actorId, ...concernedAgentIds]),
  ];
  return sql`
    INSERT INTO portable_queue (event_id, concerned)
    SELECT id, string_to_array(concerned, ' ')::uuid[]
    FROM unnest(
      ${acts.map(({ id }) => id)}::uuid[],
      ${acts.map((act) => listConcerned(act).join(' '))}::text[]
    ) AS a (id, concerned)
  `;
}

function insertRecords(
  records: readonly (NonNullable<CommitEffects['record']> & { readonly now: string })[],
): Sql {
  const column = toColumn(records);
  return sql`
    INSERT INTO idempotency_records (
      scope, operation, key, fingerprint, sealed_for, response, created_at
    )
    SELECT *
    FROM unnest(
      ${column(({ scope }) => scope)}::text[], ${column(({ operation }) => operation)}::text[],
      ${column(({ key }) => key)}::text[], ${column(({ fingerprint }) => fingerprint)}::bytea[],
      ${column(({ sealedFor }) => sealedFor)}::text[],
      ${column(({ response }) => response)}::bytea[], ${column(({ now }) => now)}::timestamptz[]
    )
  `;
}

/** Each event of each addressee, with its place among those that the same agent gets now. */
function placeEvents(notices: readonly Notice[]) {
  const counts = new Map<string, number>();
  const rows = notices.flatMap(({ addressees, event }) =>
    addressees.map(({ agentId, reasons }) => {
      const place = (counts.get(agentId) ?? 0) + 1;
      counts.set(agentId, place);
      return { agentId, reasons, place, ...event };
    }),
  );
  return { rows, agents: [...counts.keys()], counts: [...counts.values()] };
}

/**
 * Each addressee gets the next numbers of its own stream: the rows are locked in id order, so that
 * two posts never deadlock, and stay locked until the commit, so that
 * numbers become visible in order and without gaps.
 */
function buildEventParts(notices: readonly Notice[]): Sql[] {
  const { rows, agents, counts } = placeEvents(notices);
  if (rows.length === 0) return [];
  const column = toColumn(rows);
  return [
    sql`
      locked AS MATERIALIZED (
        SELECT agent_id
        FROM event_heads
        WHERE agent_id = ANY(${agents}::uuid[])
        ORDER BY agent_id
        FOR NO KEY UPDATE
      )
    `,
    sql`
      heads AS (
        UPDATE event_heads h
        SET head = h.head + c.count
        FROM locked l
        JOIN unnest(${agents}::uuid[], ${counts}::int[]) AS c (agent_id, count) USING (agent_id)
        WHERE h.agent_id = l.agent_id AND h.agent_id = ANY(${agents}::uuid[])
        RETURNING h.agent_id, h.head - c.count AS before
      )
    `,
    sql`
      told AS (
        INSERT INTO events (agent_id, seq, reasons, room_id, message_id, actor_id, created_at)
        SELECT h.agent_id, h.before + r.place, r.reasons, r.room_id, r.message_id, r.actor_id,
          r.created_at
        FROM heads h
        JOIN unnest(
          ${column(({ agentId }) => agentId)}::uuid[], ${column(({ place }) => place)}::int[],
          ${column(({ reasons }) => reasons)}::smallint[],
          ${column(({ roomId }) => roomId)}::uuid[],
          ${column(({ messageId }) => messageId)}::uuid[],
          ${column(({ actorId }) => actorId)}::uuid[],
          ${column(({ createdAt }) => createdAt)}::timestamptz[]
        ) AS r (
          agent_id, place, reasons, room_id, message_id, actor_id, created_at
        ) USING (agent_id)
      )
    `,
  ];
}

const sendParts = (tx: Transaction, parts: readonly Sql[]): void => {
  if (parts.length > 0) tx.send(sql`WITH ${join(parts)} SELECT`);
};

/** Adds one event to the stream of each addressee. */
export const insertEvents = (tx: Transaction, notice: Notice): void =>
  sendParts(tx, buildEventParts([notice]));

/**
 * Last writes, receipts, idempotency records and events of all who share the transaction in one
 * statement, the last before COMMIT: a busy agent's stream is then locked no longer than the commit
 * takes, and all of it costs one statement's overhead.
 */
export function flushEffects(tx: Transaction, effects: readonly CommitEffects[]): void {
  const writes = new Map<BulkWrite<unknown>, unknown[]>();
  for (const { statement, row } of effects.flatMap((effect) => effect.writes))
    writes.set(statement, [...(writes.get(statement) ?? []), row]);
  const receipts = effects.flatMap((effect) =>
    effect.receipts.map((receipt) => ({ ...receipt, now: effect.now, issuer: effect.issuer })),
  );
  const records = effects.flatMap(({ record, now }) => (record ? [{ ...record, now }] : []));
  sendParts(tx, [
    ...[...writes].map(
      ([statement, rows], index) => sql`${raw(`write${index}`)} AS (${statement(rows)})`,
    ),
    ...(receipts.length
      ? [sql`acts AS (${insertReceipts(receipts)})`, sql`queued AS (${queueReceipts(receipts)})`]
      : []),
    ...(records.length ? [sql`records AS (${insertRecords(records)})`] : []),
    ...buildEventParts(effects.flatMap(({ notices }) => notices)),
  ]);
}
