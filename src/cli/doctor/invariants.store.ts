import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';

/**
 * An invariant of the stored data. `holds` is the sentence that must be true, and `breaks`
 * describes violations.
 */
export interface Invariant {
  readonly holds: string;
  readonly breaks: string;
  /** Selects the ids that violate the invariant. */
  readonly query: Sql;
}

/**
 * Invariants that the schema cannot enforce. Each is checked by one statement, and thus in one
 * snapshot, so the result is correct even while the service runs.
 */
export const invariants: readonly Invariant[] = [
  {
    holds:
      "Every agent's events are numbered up to the head of its stream without a gap, and none is " +
      'missing that it has not read.',
    breaks: 'event streams have a gap or a wrong head',
    query: sql`
      SELECT a.id
      FROM agents a
      LEFT JOIN event_heads h ON h.agent_id = a.id
      LEFT JOIN (
        SELECT agent_id, count(*) AS count, max(seq) AS last
        FROM events
        GROUP BY agent_id
      ) e
        ON e.agent_id = a.id
      LEFT JOIN stream_reads r ON r.agent_id = a.id
      WHERE h.head IS NULL OR e.last <> h.head
        OR h.head - coalesce(e.count, 0) NOT BETWEEN 0 AND coalesce(r.cursor, 0)
    `,
  },
  {
    holds:
      'The positions of messages in a thread are 0, 1, 2, ... without gaps, and every thread ' +
      'stores their number.',
    breaks: 'threads have a gap or a wrong count of messages',
    query: sql`
      SELECT t.id
      FROM threads t
      LEFT JOIN (
        SELECT thread_id, count(*) AS count, max(position) AS last
        FROM messages
        GROUP BY thread_id
      ) m
        ON m.thread_id = t.id
      WHERE t.message_count <> coalesce(m.count, 0) OR t.message_count <> coalesce(m.last + 1, 0)
    `,
  },
  {
    holds: 'Every room knows how many threads it has.',
    breaks: 'rooms have a wrong count of threads',
    query: sql`
      SELECT r.id
      FROM rooms r
      LEFT JOIN (
        SELECT room_id, count(*) AS count,
          count(*) FILTER (WHERE visibility = 'public') AS open_count
        FROM threads
        WHERE deleted_at IS NULL
        GROUP BY room_id
      ) t
        ON t.room_id = r.id
      WHERE r.thread_count <> coalesce(t.count, 0)
        OR r.open_thread_count <> coalesce(t.open_count, 0)
    `,
  },
  {
    holds: 'Every room knows how many members it has.',
    breaks: 'rooms have a wrong count of members',
    query: sql`
      SELECT r.id
      FROM rooms r
      LEFT JOIN (SELECT room_id, count(*) AS count FROM members GROUP BY room_id) m
        ON m.room_id = r.id
      WHERE r.member_count <> coalesce(m.count, 0)
    `,
  },
  {
    holds: 'Every room has one owner, who is a member.',
    breaks: 'rooms have no owner among their members, or another one than they say',
    query: sql`
      SELECT r.id
      FROM rooms r
      WHERE (
        SELECT array_agg(m.agent_id)
        FROM members m
        WHERE m.room_id = r.id AND m.role = 'owner'
      ) IS DISTINCT FROM ARRAY[r.owner_id]
    `,
  },
  {
    holds: 'Every thread knows how many files it has.',
    breaks: 'threads have a wrong count of files',
    query: sql`
      SELECT t.id
      FROM threads t
      LEFT JOIN (
        SELECT m.thread_id, count(*) AS count
        FROM files f
        JOIN messages m ON m.id = f.message_id
        GROUP BY m.thread_id
      ) f
        ON f.thread_id = t.id
      WHERE t.file_count <> coalesce(f.count, 0)
    `,
  },
  {
    holds: 'Every subject knows how many identity claims there are about it.',
    breaks: 'subjects have a wrong count of identity claims',
    query: sql`
      SELECT s.id
      FROM subjects s
      LEFT JOIN (
        SELECT subject_id, count(*) AS count
        FROM identity_claims
        GROUP BY subject_id
      ) q
        ON q.subject_id = s.id
      WHERE s.claim_count <> coalesce(q.count, 0)
    `,
  },
  {
    holds: 'Every submission that a round has decided is settled, or marked to be.',
    breaks: 'submissions are decided and would not be settled',
    query: sql`
      SELECT s.id
      FROM assignments s
      JOIN records c ON c.id = s.id
      WHERE s.undecided
        AND NOT s.to_settle
        AND EXISTS (
          SELECT 1
          FROM adjudication_rounds r
          WHERE r.case_id = s.case_id
            AND r.result IS NOT NULL
            AND (r.result <> 'inconclusive' OR c.state = 'submitted')
        )
    `,
  },
  {
    holds: 'Every guest context is looked at when its first entry expires.',
    breaks: 'guest contexts would keep what has expired',
    query: sql`
      SELECT c.id
      FROM guest_contexts c
      WHERE c.due_at > (SELECT min(expires_at) FROM guest_entries WHERE context_id = c.id)
    `,
  },
  {
    holds:
      'A deleted thread has neither text nor followers, unless its content is still being removed.',
    breaks: 'deleted threads have content that nothing removes',
    query: sql`
      SELECT t.id
      FROM threads t
      WHERE t.deleted_at IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM thread_removals r WHERE r.thread_id = t.id)
        AND (
          EXISTS (SELECT 1 FROM messages m WHERE m.thread_id = t.id AND m.deleted_at IS NULL)
            OR EXISTS (SELECT 1 FROM subscriptions s WHERE s.thread_id = t.id)
        )
    `,
  },
  {
    holds: 'Every act has its place in the log, or waits for it.',
    breaks:
      'acts neither have a place in the log nor wait for one (a restart finds those that an ' +
      'older version left)',
    query: sql`
      SELECT p.id
      FROM portable_events p
      WHERE NOT EXISTS (SELECT 1 FROM log_entries e WHERE e.event_id = p.id)
        AND NOT EXISTS (SELECT 1 FROM portable_queue q WHERE q.event_id = p.id)
    `,
  },
  {
    holds: 'Places in the log are numbered 0, 1, 2, ..., up to the size that was signed last.',
    breaks: 'logs have a gap, or another size than they signed',
    query: sql`
      SELECT l.origin AS id
      FROM log_state l,
        (SELECT count(*) AS count, coalesce(max(leaf_index) + 1, 0) AS next FROM log_entries) e
      WHERE l.size <> e.count
        OR l.size <> e.next
        OR l.size <> (SELECT max(size) FROM log_checkpoints)
    `,
  },
  {
    holds: 'Every record has each of its versions, and is in the state of the newest.',
    breaks: 'records miss a version, or are in another state than the newest says',
    query: sql`
      SELECT c.id
      FROM records c
      LEFT JOIN (
        SELECT record_id, count(*) AS count, max(version) AS last
        FROM record_revisions
        GROUP BY record_id
      ) n
        ON n.record_id = c.id
      LEFT JOIN record_revisions v ON v.record_id = c.id AND v.version = c.version
      WHERE c.version <> coalesce(n.count, 0)
        OR c.version <> coalesce(n.last, 0)
        OR c.state IS DISTINCT FROM v.state
    `,
  },
  {
    holds: 'Every interaction lists the evidence that was submitted and not withdrawn.',
    breaks: 'interactions list other evidence than they have',
    query: sql`
      SELECT i.id
      FROM interactions i
      JOIN records c ON c.id = i.id
      JOIN record_revisions v ON v.record_id = c.id AND v.version = c.version
      WHERE ARRAY(
        SELECT e.id::text
        FROM evidence e
        JOIN records r ON r.id = e.id
        WHERE e.about_id = i.id AND r.state = 'submitted'
        ORDER BY 1
      ) IS DISTINCT FROM ARRAY(
        SELECT *
        FROM jsonb_array_elements_text(v.content->'evidenceIds')
        ORDER BY 1
      )
    `,
  },
  {
    holds:
      'Every notice that was posted and not deleted since is in its room, word for word as in ' +
      'the register.',
    breaks: 'posted notices are in another place or have another text than in the register',
    query: sql`
      SELECT s.id
      FROM campaign_sendings s
      JOIN campaign_variants v ON v.campaign_id = s.campaign_id AND v.id = s.variant_id
      JOIN messages m ON m.id = s.message_id
      JOIN threads t ON t.id = m.thread_id
      WHERE s.thread_id <> t.id
        OR s.room_id <> t.room_id
        OR m.position <> 0
        OR (m.deleted_at IS NULL AND m.body IS DISTINCT FROM v.notice)
    `,
  },
  {
    holds:
      'Every case is in the state of its newest round, and has the result of the one that ' +
      'closed last.',
    breaks:
      'cases are in another state than their newest round, or have another result than ' +
      'their rounds',
    query: sql`
      SELECT k.id
      FROM adjudication_cases k
      LEFT JOIN adjudication_rounds r
        ON r.case_id = k.id
          AND r.number = (SELECT max(number) FROM adjudication_rounds WHERE case_id = k.id)
      WHERE r.state IS DISTINCT FROM k.state
        OR k.result IS DISTINCT FROM (
          SELECT result
          FROM adjudication_rounds
          WHERE case_id = k.id AND result IS NOT NULL
          ORDER BY number DESC
          LIMIT 1
        )
    `,
  },
];

const noRows = { count: 0, example: null };

/** Counts the violations of an invariant, and returns the id of one of them. */
export const findBroken = async (db: Queryable, { query }: Invariant) =>
  (await db.first<{ count: number; example: string | null }>(
    sql`SELECT count(*) AS count, min(id::text) AS example FROM (${query}) found`,
  )) ?? noRows;

/**
 * Counts the messages that were posted before `before` and whose subscribers are not all notified.
 */
export const countWaitingFanouts = async (db: Queryable, before: string): Promise<number> =>
  (
    await db.first<{ count: number }>(sql`
      SELECT count(*) AS count
      FROM event_fanouts
      WHERE created_at < ${before}
    `)
  )?.count ?? 0;

/** Counts the receipts from before `before` that are still in the queue for the log. */
export const countWaitingReceipts = async (db: Queryable, before: string): Promise<number> =>
  (
    await db.first<{ count: number }>(sql`
      SELECT count(*) AS count
      FROM portable_queue q
      JOIN portable_events p ON p.id = q.event_id
      WHERE p.occurred_at < ${before}
    `)
  )?.count ?? 0;

/**
 * Sets the time limit of a transaction's statements. Counting takes long on a large installation.
 */
export const setStatementTimeout = (tx: Transaction, seconds: number): void =>
  tx.send(sql`SELECT set_config('statement_timeout', ${`${seconds}s`}, true)`);
