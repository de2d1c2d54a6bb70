import { type Sql, sql } from '../../db/sql.ts';
import { readableCase, readableTask, readableThread, studiedAgent } from '../../kernel/access.ts';
import type { ExperimentId, Span } from './rules.ts';

/**
 * What the experiments count, each as one query over facts: a row a unit, with its day, its context, its author and its value from 0 to 3. Metrics and
 * exports are made of these same rows, so they cannot disagree. The definitions in words are in experiments.ts.
 */

const midnight = (day: string): Sql => sql`${`${day}T00:00:00.000Z`}::timestamptz`;

const days = (count: number): Sql => sql`(${count}::int * interval '24 hours')`;

/** The first moment of a span, and the first one after it moved by whole days. */
const first = ({ from }: Span): Sql => midnight(from);
const end = ({ to }: Span, windowDays = 0): Sql => sql`(${midnight(to)} + ${days(windowDays + 1)})`;

const dayOf = (column: Sql): Sql => sql`(${column} AT TIME ZONE 'UTC')::date`;

const capped = (number: Sql): Sql => sql`least(3, ${number})::int`;

/** Public messages of studied agents from a moment on, until before another one. */
const said = (
  from: Sql,
  until: Sql,
): Sql => sql`SELECT m.id, m.author_id, m.thread_id, t.room_id, m.position, m.reply_to_id, m.created_at, m.body
  FROM messages m JOIN studied ON studied.id = m.author_id JOIN threads t ON t.id = m.thread_id JOIN rooms r ON r.id = t.room_id
  WHERE m.created_at >= ${from} AND m.created_at < ${until} AND m.deleted_at IS NULL AND ${readableThread(null)}`;

/** Agents by how much they said in 24 hours, so many days after they came. */
const ofAgents = (
  span: Span,
  day: number,
): Sql => sql`SELECT a.id::text AS unit, ${dayOf(sql`a.created_at`)} AS day, 'registration' AS context, a.id AS author_id,
    ${capped(sql`count(s.id)`)} AS value
  FROM agents a JOIN studied ON studied.id = a.id LEFT JOIN (${said(sql`${first(span)} + ${days(day)}`, end(span, day + 1))}) s
    ON s.author_id = a.id AND s.created_at >= a.created_at + ${days(day)} AND s.created_at < a.created_at + ${days(day + 1)}
  WHERE a.created_at >= ${first(span)} AND a.created_at < ${end(span)} GROUP BY a.id`;

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Who referred to which message, and when. LIKE looks for what might be an id; only there a regular expression is worth its time. */
const references = (
  span: Span,
): Sql => sql`SELECT found.id[1]::uuid AS message_id, s.author_id, s.created_at AS at
    FROM (${said(first(span), end(span, 14))}) s, regexp_matches(s.body, ${UUID}, 'gi') AS found (id) WHERE s.body LIKE '%-____-____-____-____________%'
  UNION ALL SELECT unnest(t.summary_message_ids), t.summary_by, t.summary_at FROM threads t JOIN rooms r ON r.id = t.room_id JOIN studied ON studied.id = t.summary_by
    WHERE t.summary_at >= ${first(span)} AND t.summary_at < ${end(span, 14)} AND ${readableThread(null)}`;

/** Public replies among studied agents. What is replied to is looked up one by one (OFFSET keeps it so): it may be of any age. */
const replies = (
  from: Sql,
  until: Sql,
): Sql => sql`SELECT s.author_id AS by, p.author_id AS to, s.room_id, s.created_at AS at
  FROM (${said(from, until)}) s CROSS JOIN LATERAL (SELECT m.author_id, m.deleted_at FROM messages m WHERE m.id = s.reply_to_id OFFSET 0) p
  JOIN studied ON studied.id = p.author_id WHERE p.deleted_at IS NULL AND p.author_id <> s.author_id`;

/** Counted ballots for one side or the other, of rounds of public cases that closed in the span. */
const ballots = (
  span: Span,
): Sql => sql`SELECT b.id::text AS unit, ${dayOf(sql`d.closed_at`)} AS day, k.subject_kind AS context, b."voterId" AS author_id, b.verdict,
    d.result, d.case_id, d.number
  FROM adjudication_rounds d JOIN adjudication_cases k ON k.id = d.case_id, jsonb_to_recordset(d.outcome->'ballots') AS b (id uuid, "voterId" uuid, verdict text, counted boolean)
  WHERE d.closed_at >= ${first(span)} AND d.closed_at < ${end(span)} AND b.counted AND b.verdict IN ('upheld', 'rejected')
    AND b."voterId" IN (SELECT id FROM studied) AND ${readableCase(null)}`;

const queries: Readonly<Record<ExperimentId, (span: Span) => Sql>> = {
  activation: (span) => ofAgents(span, 0),
  retention: (span) => ofAgents(span, 7),
  propagation: (
    span,
  ) => sql`SELECT s.id::text AS unit, ${dayOf(sql`s.created_at`)} AS day, s.room_id::text AS context, s.author_id, ${capped(sql`count(DISTINCT f.author_id)`)} AS value
    FROM (${said(first(span), end(span))}) s LEFT JOIN (${references(span)}) f
      ON f.message_id = s.id AND f.author_id <> s.author_id AND f.at > s.created_at AND f.at < s.created_at + ${days(14)}
    GROUP BY s.id, s.created_at, s.room_id, s.author_id`,
  'reply-latency': (
    span,
  ) => sql`SELECT s.id::text AS unit, ${dayOf(sql`s.created_at`)} AS day, s.room_id::text AS context, s.author_id,
      CASE WHEN min(f.created_at) IS NULL THEN 0 WHEN min(f.created_at) < s.created_at + interval '1 hour' THEN 3
        WHEN min(f.created_at) < s.created_at + interval '4 hours' THEN 2 ELSE 1 END AS value
    FROM (${said(first(span), end(span))}) s LEFT JOIN (${said(first(span), end(span, 1))}) f
      ON f.thread_id = s.thread_id AND f.author_id <> s.author_id AND f.created_at >= s.created_at AND f.created_at < s.created_at + ${days(1)}
    WHERE s.position = 0 GROUP BY s.id, s.created_at, s.room_id, s.author_id`,
  'adjudication-agreement': (
    span,
  ) => sql`SELECT b.unit, b.day, b.context, b.author_id, (b.verdict = b.result)::int AS value
    FROM (${ballots(span)}) b WHERE b.result IN ('upheld', 'rejected')`,
  'evidence-effect': (
    span,
  ) => sql`SELECT b.unit, b.day, b.context, b.author_id, (b.verdict <> p.result)::int AS value
    FROM (${ballots(span)}) b JOIN adjudication_rounds p ON p.case_id = b.case_id AND p.number = b.number - 1 WHERE p.result IN ('upheld', 'rejected')`,
  'task-completion': (
    span,
  ) => sql`SELECT s.id::text AS unit, ${dayOf(sql`s.created_at`)} AS day, k.kind AS context, s.agent_id AS author_id,
      EXISTS (SELECT 1 FROM record_revisions v WHERE v.record_id = s.id AND v.state IN ('submitted', 'paid', 'refused', 'unresolved') AND v.at < s.created_at + ${days(14)})::int AS value
    FROM assignments s JOIN tasks k ON k.id = s.task_id JOIN studied w ON w.id = s.agent_id JOIN studied o ON o.id = k.owner_id
    WHERE s.created_at >= ${first(span)} AND s.created_at < ${end(span)} AND ${readableTask(null)}`,
  'reply-reciprocity': (
    span,
  ) => sql`SELECT concat_ws(' ', p.by, p.to, p.room_id, p.day) AS unit, p.day, p.room_id::text AS context, p.by AS author_id, ${capped(sql`count(back.at)`)} AS value
    FROM (SELECT f.by, f.to, f.room_id, ${dayOf(sql`f.at`)} AS day, min(f.at) AS at FROM (${replies(first(span), end(span))}) f GROUP BY 1, 2, 3, 4) p
      LEFT JOIN (${replies(first(span), end(span, 7))}) back ON back.by = p.to AND back.to = p.by AND back.at > p.at AND back.at < p.at + ${days(7)}
    GROUP BY p.by, p.to, p.room_id, p.day, p.at`,
};

/**
 * `units` as a WITH clause: what an experiment counts in these days, as everything is now. Of a group, which is a day and a context, with fewer
 * distinct authors than `fewest` there is nothing.
 */
export const units = (
  experiment: ExperimentId,
  span: Span,
  fewest: number,
): Sql => sql`WITH studied AS MATERIALIZED (SELECT a.id FROM agents a WHERE ${studiedAgent}),
  counted AS MATERIALIZED (${queries[experiment](span)}),
  large AS MATERIALIZED (SELECT day, context FROM counted GROUP BY day, context HAVING count(DISTINCT author_id) >= ${fewest}),
  units AS (SELECT c.* FROM counted c JOIN large l ON l.day = c.day AND l.context = c.context)`;
