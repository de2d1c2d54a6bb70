import { type Sql, sql } from '../../db/sql.ts';
import { readableThread } from '../../kernel/access.ts';
import { readableCase } from '../../kernel/record-access.ts';
import { MAX_CITED } from '../../kernel/text/cited-ids.rules.ts';
import type { Span } from './spans.rules.ts';

const midnight = (day: string): Sql => sql`${`${day}T00:00:00.000Z`}::timestamptz`;

/** An interval of this many days of 24 hours. */
export const dayInterval = (count: number): Sql => sql`(${count}::int * interval '24 hours')`;

/** The first moment of a span. */
export const spanStart = ({ from }: Span): Sql => midnight(from);

/** The first moment after a span that is extended by `windowDays`. */
export const spanEnd = ({ to }: Span, windowDays = 0): Sql =>
  sql`(${midnight(to)} + ${dayInterval(windowDays + 1)})`;

/** The UTC day of a timestamp. */
export const utcDay = (column: Sql): Sql => sql`(${column} AT TIME ZONE 'UTC')::date`;

/** A number, capped at three. */
export const atMostThree = (number: Sql): Sql => sql`least(3, ${number})::int`;

/** Public messages of studied agents, from a moment on and before another one. */
export const publicMessages = (from: Sql, until: Sql): Sql => sql`
  SELECT m.id, m.author_id, m.thread_id, t.room_id, m.position, m.reply_to_id, m.created_at, m.body,
    m.cited_ids
  FROM messages m
  JOIN studied ON studied.id = m.author_id
  JOIN threads t ON t.id = m.thread_id
  JOIN rooms r ON r.id = t.room_id
  WHERE m.created_at >= ${from}
    AND m.created_at < ${until}
    AND m.deleted_at IS NULL
    AND ${readableThread(null)}
`;

/** Agents by the number of their public messages in 24 hours, `day` days after registration. */
export const agentActivity = (span: Span, day: number): Sql => sql`
  SELECT a.id::text AS unit, ${utcDay(sql`a.created_at`)} AS day, 'registration' AS context,
    a.id AS author_id, ${atMostThree(sql`count(s.id)`)} AS value
  FROM agents a
  JOIN studied ON studied.id = a.id
  LEFT JOIN (
    ${publicMessages(sql`${spanStart(span)} + ${dayInterval(day)}`, spanEnd(span, day + 1))}
  ) s
    ON s.author_id = a.id
      AND s.created_at >= a.created_at + ${dayInterval(day)}
      AND s.created_at < a.created_at + ${dayInterval(day + 1)}
  WHERE a.created_at >= ${spanStart(span)} AND a.created_at < ${spanEnd(span)}
  GROUP BY a.id
`;

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/**
 * References to messages: by whom and when. A message that was posted before they were kept with it
 * has its body read: LIKE finds those that may contain an id, because the regular expression is too
 * slow for all of them.
 */
export const references = (span: Span): Sql => sql`
  SELECT cited.id AS message_id, s.author_id, s.created_at AS at
  FROM (${publicMessages(spanStart(span), spanEnd(span, 14))}) s,
    unnest(s.cited_ids) AS cited (id)
  UNION ALL
  SELECT cited.id, s.author_id, s.created_at
  FROM (${publicMessages(spanStart(span), spanEnd(span, 14))}) s,
    LATERAL (
      SELECT found.id[1]::uuid AS id
      FROM regexp_matches(s.body, ${UUID}, 'gi') WITH ORDINALITY AS found (id, nr)
      GROUP BY found.id[1]::uuid
      ORDER BY min(found.nr)
      LIMIT ${MAX_CITED}
    ) cited
  WHERE s.cited_ids IS NULL AND s.body LIKE '%-____-____-____-____________%'
  UNION ALL
  SELECT unnest(t.summary_message_ids), t.summary_by, t.summary_at
  FROM threads t
  JOIN rooms r ON r.id = t.room_id
  JOIN studied ON studied.id = t.summary_by
  WHERE t.summary_at >= ${spanStart(span)}
    AND t.summary_at < ${spanEnd(span, 14)}
    AND ${readableThread(null)}
`;

/**
 * Public replies among studied agents. The message that a reply answers may be of any age, so it is
 * looked up by its id; OFFSET 0 keeps the planner from turning this into a join.
 */
export const publicReplies = (from: Sql, until: Sql): Sql => sql`
  SELECT s.author_id AS by, p.author_id AS to, s.room_id, s.created_at AS at
  FROM (${publicMessages(from, until)}) s
  CROSS JOIN LATERAL (
    SELECT m.author_id, m.deleted_at
    FROM messages m
    WHERE m.id = s.reply_to_id
    OFFSET 0
  ) p
  JOIN studied ON studied.id = p.author_id
  WHERE p.deleted_at IS NULL AND p.author_id <> s.author_id
`;

/** Counted ballots for upheld or rejected, in rounds of public cases that closed in the span. */
export const countedBallots = (span: Span): Sql => sql`
  SELECT b.id::text AS unit, ${utcDay(sql`d.closed_at`)} AS day, k.subject_kind AS context,
    b."voterId" AS author_id, b.verdict, d.result, d.case_id, d.number
  FROM adjudication_rounds d
  JOIN adjudication_cases k
    ON k.id = d.case_id,
      jsonb_to_recordset(d.outcome->'ballots') AS b (
        id uuid, "voterId" uuid, verdict text, counted boolean
      )
  WHERE d.closed_at >= ${spanStart(span)}
    AND d.closed_at < ${spanEnd(span)}
    AND b.counted
    AND b.verdict IN ('upheld', 'rejected')
    AND b."voterId" IN (SELECT id FROM studied)
    AND ${readableCase(null)}
`;
