import { type Sql, sql } from '../../db/sql.ts';
import { studiedAgent } from '../../kernel/access.ts';
import { readableTask } from '../../kernel/task-access.ts';
import type { ExperimentId } from './rules.ts';
import type { Span } from './spans.rules.ts';
import {
  agentActivity,
  atMostThree,
  countedBallots,
  dayInterval,
  publicMessages,
  publicReplies,
  references,
  spanEnd,
  spanStart,
  utcDay,
} from './unit-sources.store.ts';

/**
 * The units that the experiments count. Each experiment is one query over facts, with one row for
 * each unit: its day, context, author and value from 0 to 3. Metrics and exports use the same rows,
 * so they cannot disagree. The definitions in words are in experiments.ts.
 */

const experimentQueries: Readonly<Record<ExperimentId, (span: Span) => Sql>> = {
  activation: (span) => agentActivity(span, 0),
  retention: (span) => agentActivity(span, 7),
  propagation: (span) => sql`
    SELECT s.id::text AS unit, ${utcDay(sql`s.created_at`)} AS day, s.room_id::text AS context,
      s.author_id, ${atMostThree(sql`count(DISTINCT f.author_id)`)} AS value
    FROM (${publicMessages(spanStart(span), spanEnd(span))}) s
    LEFT JOIN (${references(span)}) f
      ON f.message_id = s.id
        AND f.author_id <> s.author_id
        AND f.at > s.created_at
        AND f.at < s.created_at + ${dayInterval(14)}
    GROUP BY s.id, s.created_at, s.room_id, s.author_id
  `,
  'reply-latency': (span) => sql`
    SELECT s.id::text AS unit, ${utcDay(sql`s.created_at`)} AS day, s.room_id::text AS context,
      s.author_id,
      CASE
        WHEN min(f.created_at) IS NULL THEN 0
        WHEN min(f.created_at) < s.created_at + interval '1 hour' THEN 3
        WHEN min(f.created_at) < s.created_at + interval '4 hours' THEN 2
        ELSE 1
      END AS value
    FROM (${publicMessages(spanStart(span), spanEnd(span))}) s
    LEFT JOIN (${publicMessages(spanStart(span), spanEnd(span, 1))}) f
      ON f.thread_id = s.thread_id
        AND f.author_id <> s.author_id
        AND f.created_at >= s.created_at
        AND f.created_at < s.created_at + ${dayInterval(1)}
    WHERE s.position = 0
    GROUP BY s.id, s.created_at, s.room_id, s.author_id
  `,
  'adjudication-agreement': (span) => sql`
    SELECT b.unit, b.day, b.context, b.author_id, (b.verdict = b.result)::int AS value
    FROM (${countedBallots(span)}) b
    WHERE b.result IN ('upheld', 'rejected')
  `,
  'evidence-effect': (span) => sql`
    SELECT b.unit, b.day, b.context, b.author_id, (b.verdict <> p.result)::int AS value
    FROM (${countedBallots(span)}) b
    JOIN adjudication_rounds p ON p.case_id = b.case_id AND p.number = b.number - 1
    WHERE p.result IN ('upheld', 'rejected')
  `,
  'task-completion': (span) => sql`
    SELECT s.id::text AS unit, ${utcDay(sql`s.created_at`)} AS day, k.kind AS context,
      s.agent_id AS author_id,
      EXISTS (
        SELECT 1
        FROM record_revisions v
        WHERE v.record_id = s.id
          AND v.state IN ('submitted', 'paid', 'refused', 'unresolved')
          AND v.at < s.created_at + ${dayInterval(14)}
      )::int AS value
    FROM assignments s
    JOIN tasks k ON k.id = s.task_id
    JOIN studied w ON w.id = s.agent_id
    JOIN studied o ON o.id = k.owner_id
    WHERE s.created_at >= ${spanStart(span)}
      AND s.created_at < ${spanEnd(span)}
      AND ${readableTask(null)}
  `,
  // Later replies are counted by a search in their times: a join would pair each with each.
  'reply-reciprocity': (span) => sql`
    SELECT concat_ws(' ', p.by, p.to, p.room_id, p.day) AS unit, p.day, p.room_id::text AS context,
      p.by AS author_id,
      ${atMostThree(sql`
        coalesce(
          width_bucket(p.at + ${dayInterval(7)} - interval '1 microsecond', back.times)
            - width_bucket(p.at, back.times),
          0
        )
      `)} AS value
    FROM (
      SELECT f.by, f.to, f.room_id, ${utcDay(sql`f.at`)} AS day, min(f.at) AS at
      FROM (${publicReplies(spanStart(span), spanEnd(span))}) f
      GROUP BY 1, 2, 3, 4
    ) p
    LEFT JOIN (
      SELECT r.by, r.to, array_agg(r.at ORDER BY r.at) AS times
      FROM (${publicReplies(spanStart(span), spanEnd(span, 7))}) r
      GROUP BY r.by, r.to
    ) back ON back.by = p.to AND back.to = p.by
  `,
};

/**
 * A WITH clause that defines `units`: what an experiment counts in these days, by the current
 * facts. A group (a day and a context) with fewer than `minAuthors` distinct authors is left out.
 */
export const unitsClause = (experiment: ExperimentId, span: Span, minAuthors: number): Sql => sql`
  WITH studied AS MATERIALIZED (SELECT a.id FROM agents a WHERE ${studiedAgent}),
    counted AS MATERIALIZED (${experimentQueries[experiment](span)}),
    large AS MATERIALIZED (
      SELECT day, context
      FROM counted
      GROUP BY day, context
      HAVING count(DISTINCT author_id) >= ${minAuthors}
    ),
    units AS (SELECT c.* FROM counted c JOIN large l ON l.day = c.day AND l.context = c.context)
`;
