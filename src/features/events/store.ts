import type { Queryable, Transaction } from '../../db/database.ts';
import { raw, type Sql, sql, unnestRows } from '../../db/sql.ts';
import { readableRoom, readableThread } from '../../kernel/access.ts';
import { type EventSubject, reasonBits } from '../../kernel/effects.ts';

/** Creates the empty stream of a new agent. */
export const createStream = (tx: Transaction, agentId: string): void =>
  tx.send(sql`INSERT INTO event_heads (agent_id) VALUES (${agentId})`);

const selectHeads = (agentIds: readonly string[]): Sql =>
  sql`
    SELECT q.nr, h.head
    FROM unnest(${agentIds}::uuid[]) WITH ORDINALITY AS q (agent_id, nr)
    CROSS JOIN LATERAL (SELECT head FROM event_heads WHERE agent_id = q.agent_id LIMIT 1) h
  `;

/**
 * Returns the number of an agent's newest event, 0 before the first one. It costs one index probe,
 * and calls at the same time share one statement.
 */
export const getHead = async (db: Queryable, agentId: string): Promise<number> =>
  (await db.load<{ head: number }, string>(selectHeads, agentId))[0]?.head ?? 0;

/** Lists the numbers of the newest events of several agents. */
export const listHeads = (db: Queryable, agentIds: readonly string[]) =>
  db.rows<{ agentId: string; head: number }>(sql`
    SELECT agent_id AS "agentId", head
    FROM event_heads
    WHERE agent_id = ANY(${agentIds}::uuid[])
  `);

/** An event of a stream, with the stream's head. */
export interface EventRow {
  /** The place of its reader in the statement. */
  readonly nr: number;
  readonly head: number;
  /** Null in the one row of a page without events; the other members are null then too. */
  readonly seq: number | null;
  /** A set of `reasonBits`. */
  readonly reasons: number;
  /** Whether the reader may see the event now. */
  readonly visible: boolean;
  readonly roomId: string | null;
  readonly threadId: string | null;
  readonly threadTitle: string | null;
  readonly messageId: string | null;
  readonly position: number | null;
  readonly actorId: string | null;
  readonly actorHandle: string | null;
  readonly subject: EventSubject | null;
  readonly createdAt: string;
}

/** Kinds that say no more than which room or message they are about, which their reader knew. */
const toldAnyway = reasonBits.member_removed | reasonBits.invitation | reasonBits.claim_lost;

/**
 * The SQL condition that a reader may see an event now. It uses the aliases `e` (events), `r`
 * (rooms), `m` (messages) and `t` (threads). `shownKinds` are the kinds of what is switched on.
 */
const visibleEvent = (reader: Sql | string, shownKinds: Sql | number): Sql => sql`
  CASE
    WHEN e.room_id IS NULL THEN ${shownKinds}::int & e.reasons > 0
    WHEN e.reasons & ${toldAnyway}::int > 0 THEN true
    WHEN e.message_id IS NULL THEN ${readableRoom(reader)}
    ELSE m.deleted_at IS NULL AND ${readableThread(reader)}
  END
`;

/** Which events of whom to read. */
export interface EventRange {
  readonly agentId: string;
  readonly cursor: number;
  readonly limit: number;
  /** A set of `reasonBits`: events of other kinds are not shown, see `listShownKinds`. */
  readonly shownKinds: number;
}

/** Selects up to `limit` events after each cursor together with the stream's head. */
const selectAfter = (ranges: readonly EventRange[]): Sql => sql`
  SELECT q.nr, h.head, e.*
  FROM ${unnestRows(ranges, [
    ['uuid', ({ agentId }) => agentId],
    ['bigint', ({ cursor }) => cursor],
    ['int', ({ limit }) => limit],
    ['int', ({ shownKinds }) => shownKinds],
  ])} WITH ORDINALITY AS q (agent_id, cursor, most, shown_kinds, nr)
  CROSS JOIN LATERAL (SELECT head FROM event_heads WHERE agent_id = q.agent_id LIMIT 1) h
  LEFT JOIN LATERAL (
    SELECT e.seq, e.reasons, e.room_id AS "roomId", t.id AS "threadId", t.title AS "threadTitle",
      e.message_id AS "messageId", m.position, e.actor_id AS "actorId", a.handle AS "actorHandle",
      CASE
        WHEN e.subject_id IS NOT NULL THEN json_build_object(
          'type', e.subject_type, 'id', e.subject_id, 'state', e.subject_state
        )
      END AS subject,
      e.created_at AS "createdAt",
      ${visibleEvent(sql`q.agent_id`, sql`q.shown_kinds`)} AS visible
    FROM events e
    LEFT JOIN rooms r ON r.id = e.room_id
    LEFT JOIN agents a ON a.id = e.actor_id
    LEFT JOIN messages m ON m.id = e.message_id
    LEFT JOIN threads t ON t.id = m.thread_id
    WHERE e.agent_id = q.agent_id AND e.seq > q.cursor
    ORDER BY e.seq
    LIMIT q.most
  ) e
    ON true
  ORDER BY q.nr, e.seq
`;

/** So many events are read in one statement with those of other readers. */
const FEW = 16;

/**
 * Lists up to `limit` events after the cursor together with the stream's head, in one snapshot.
 * Without events it returns one row whose `seq` is null. `visible` is false for events that the
 * reader may no longer see; the cursor moves past them all the same. `newest` is the number of the
 * newest event that the caller knows of: readers who are woken by one event share a statement.
 */
export const listAfter = (
  db: Queryable,
  range: EventRange,
  newest: number,
): Promise<readonly EventRow[]> =>
  newest - range.cursor <= FEW
    ? db.load<EventRow, EventRange>(selectAfter, { ...range, limit: Math.min(range.limit, FEW) })
    : db.rows<EventRow>(selectAfter([range]));

/** The last event that a reader has processed. */
interface ReaderPosition {
  readonly agentId: string;
  readonly cursor: number;
}

/** The events of a stream in which one is looked for that its reader may see. */
const MAX_LOOKED_AT = 500;

/** The next events of the stream of `p` after its cursor, and no later than its head `h`. */
const nextEvents = sql`(
  SELECT *
  FROM events
  WHERE agent_id = p.agent_id AND seq > p.cursor AND seq <= h.head
  ORDER BY seq
  LIMIT ${raw(String(MAX_LOOKED_AT))}
)`;

/**
 * Lists, for several readers, the head of the stream, whether the reader may see any of the next
 * events after its cursor now, and up to where these go. A reader that has left a room may have a
 * million that it may no longer see, so there is a limit.
 */
export const listStreamStates = (
  db: Queryable,
  positions: readonly ReaderPosition[],
  shownKinds: number,
) =>
  db.rows<{ agentId: string; head: number; visible: boolean; lookedAt: number }>(sql`
    SELECT p.agent_id AS "agentId", h.head, v.visible, coalesce(v.last, h.head) AS "lookedAt"
    FROM ${unnestRows(positions, [
      ['uuid', ({ agentId }) => agentId],
      ['bigint', ({ cursor }) => cursor],
    ])} AS p (agent_id, cursor)
    CROSS JOIN LATERAL (SELECT head FROM event_heads WHERE agent_id = p.agent_id LIMIT 1) h
    CROSS JOIN LATERAL (
      SELECT
        EXISTS (
          SELECT
          FROM ${nextEvents} e
          CROSS JOIN LATERAL (
            SELECT ${visibleEvent(sql`p.agent_id`, shownKinds)} AS visible
            FROM (SELECT e.room_id AS id) about
            LEFT JOIN rooms r ON r.id = about.id
            LEFT JOIN messages m ON m.id = e.message_id
            LEFT JOIN threads t ON t.id = m.thread_id
            LIMIT 1
          ) now
          WHERE now.visible
        ) AS visible,
        (SELECT max(seq) FROM ${nextEvents} e) AS last
    ) v
  `);
