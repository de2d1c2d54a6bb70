import type { Transaction } from '../../../db/database.ts';
import { join, raw, type Sql, sql, unnestRows } from '../../../db/sql.ts';
import type { RecordKey } from '../../callers/callers.store.ts';
import type { BulkWrite, NewReceipt, Notice } from '../../effects.ts';

/** The effects of one call, written at the end of its transaction. */
export interface CommitEffects {
  readonly now: string;
  readonly writes: readonly { readonly statement: BulkWrite<unknown>; readonly row: unknown }[];
  readonly receipts: readonly (NewReceipt & { readonly id: string })[];
  /** The issuer of the receipts: the installation's address and realm at this time. */
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

function insertReceipts(
  receipts: readonly (CommitEffects['receipts'][number] & Pick<CommitEffects, 'now' | 'issuer'>)[],
): Sql {
  return sql`
    INSERT INTO portable_events (
      id, kind, visibility, actor_id, subject_type, subject_id, content_sha256, occurred_at, issuer,
      realm
    )
    SELECT *
    FROM ${unnestRows(receipts, [
      ['uuid', ({ id }) => id],
      ['text', ({ kind }) => kind],
      ['text', ({ visibility }) => visibility],
      ['uuid', ({ actorId }) => actorId],
      ['text', ({ subject }) => subject.type],
      ['uuid', ({ subject }) => subject.id],
      ['bytea', ({ contentSha256 }) => contentSha256],
      ['timestamptz', ({ now }) => now],
      ['text', ({ issuer }) => issuer.baseUrl],
      ['text', ({ issuer }) => issuer.realm],
    ])}
  `;
}

/**
 * Puts receipts in the queue for the log. The table has no index, because its only reader takes all
 * of it.
 */
function queueReceipts(receipts: CommitEffects['receipts']): Sql {
  const listConcerned = ({ actorId, concernedAgentIds }: NewReceipt) => [
    ...new Set(actorId === null ? concernedAgentIds : [actorId, ...concernedAgentIds]),
  ];
  return sql`
    INSERT INTO portable_queue (event_id, concerned)
    SELECT id, string_to_array(concerned, ' ')::uuid[]
    FROM ${unnestRows(receipts, [
      ['uuid', ({ id }) => id],
      ['text', (receipt) => listConcerned(receipt).join(' ')],
    ])} AS a (id, concerned)
  `;
}

function insertRecords(
  records: readonly (NonNullable<CommitEffects['record']> & { readonly now: string })[],
): Sql {
  return sql`
    INSERT INTO idempotency_records (
      scope, operation, key, fingerprint, sealed_for, response, created_at
    )
    SELECT *
    FROM ${unnestRows(records, [
      ['text', ({ scope }) => scope],
      ['text', ({ operation }) => operation],
      ['text', ({ key }) => key],
      ['bytea', ({ fingerprint }) => fingerprint],
      ['text', ({ sealedFor }) => sealedFor],
      ['bytea', ({ response }) => response],
      ['timestamptz', ({ now }) => now],
    ])}
  `;
}

/**
 * Assigns each event of each addressee its place among the events that the agent gets in this
 * transaction.
 */
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
 * Builds the parts of the statement that give each addressee the next numbers of its stream. The
 * rows are locked in the order of ids, so two transactions never deadlock. They stay locked until
 * the commit, so numbers become visible in order and without gaps.
 */
function buildEventParts(notices: readonly Notice[]): Sql[] {
  const { rows, agents, counts } = placeEvents(notices);
  if (rows.length === 0) return [];
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
        INSERT INTO events (
          agent_id, seq, reasons, room_id, message_id, actor_id, subject_type, subject_id,
          subject_state, created_at
        )
        SELECT h.agent_id, h.before + r.place, r.reasons, r.room_id, r.message_id, r.actor_id,
          r.subject_type, r.subject_id, r.subject_state, r.created_at
        FROM heads h
        JOIN ${unnestRows(rows, [
          ['uuid', ({ agentId }) => agentId],
          ['int', ({ place }) => place],
          ['smallint', ({ reasons }) => reasons],
          ['uuid', ({ roomId }) => roomId],
          ['uuid', ({ messageId }) => messageId],
          ['uuid', ({ actorId }) => actorId],
          ['text', ({ subject }) => subject?.type ?? null],
          ['uuid', ({ subject }) => subject?.id ?? null],
          ['text', ({ subject }) => subject?.state ?? null],
          ['timestamptz', ({ createdAt }) => createdAt],
        ])} AS r (
          agent_id, place, reasons, room_id, message_id, actor_id, subject_type, subject_id,
          subject_state, created_at
        ) USING (agent_id)
      )
    `,
  ];
}

const sendParts = (tx: Transaction, parts: readonly Sql[]): void => {
  if (parts.length > 0) tx.send(sql`WITH ${join(parts)} SELECT`);
};

/**
 * Sends the effects of all calls of a transaction: bulk writes, receipts and idempotency records as
 * one statement, which costs the overhead of one, and then the events as the last statement before
 * COMMIT. A busy agent's stream is thus locked only as long as the commit takes. In one statement
 * PostgreSQL would lock the streams first: it runs parts that nothing refers to from the last to
 * the first.
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
      ? [
          sql`inserted AS (${insertReceipts(receipts)})`,
          sql`queued AS (${queueReceipts(receipts)})`,
        ]
      : []),
    ...(records.length ? [sql`records AS (${insertRecords(records)})`] : []),
  ]);
  sendParts(tx, buildEventParts(effects.flatMap(({ notices }) => notices)));
}
