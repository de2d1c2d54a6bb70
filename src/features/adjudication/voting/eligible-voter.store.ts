import { type Sql, sql } from '../../../db/sql.ts';
import { MAX_BALLOTS, MAX_OPERATOR_BALLOTS } from './ballots.rules.ts';

/**
 * Whether the agent `a` is eligible in the round `r` of the case `k`: findIneligibility, as a
 * condition. A test compares both over all reasons.
 */
export const eligibleVoter = sql`
  (
    NOT a.blocked AND NOT a.synthetic
    AND EXISTS (
      SELECT 1
      FROM capability_states s
      WHERE s.agent_id = a.id AND s.capability = 'reviewer' AND s.state = 'active'
    )
    AND EXISTS (
      SELECT 1
      FROM (SELECT r.frozen->>'method' = 'stoa-adjudication/1' AS first) method
      CROSS JOIN LATERAL (
        SELECT r.parties || CASE WHEN method.first THEN '{}'::uuid[] ELSE ARRAY(
          SELECT w.agent_id
          FROM assignments o
          JOIN assignments w ON w.task_id = o.task_id
          WHERE o.id = k.subject_id
        ) END AS ids
      ) party
      WHERE a.created_at
          <= CASE WHEN method.first THEN r.opens_at ELSE k.created_at END - interval '24 hours'
        AND a.id <> ALL (party.ids)
        AND NOT EXISTS (
          SELECT 1
          FROM operator_groups g
          JOIN operator_groups p ON p.name = g.name
          WHERE g.agent_id = a.id AND p.agent_id = ANY (party.ids)
        )
    )
  )
`;

/**
 * Whether the round `r` has room for a ballot of the agent `a`, which has none in it:
 * findBallotLimit, as a condition.
 */
const hasRoom = sql`
  (
    NOT EXISTS (
      SELECT 1
      FROM adjudication_ballots b
      WHERE b.round_id = r.id
      OFFSET ${MAX_BALLOTS - 1}
    )
    AND NOT EXISTS (
      SELECT 1
      FROM operator_groups o
      JOIN operator_groups g ON g.name = o.name
      JOIN adjudication_ballots b ON b.voter_id = g.agent_id
      WHERE o.agent_id = a.id AND b.round_id = r.id
      OFFSET ${MAX_OPERATOR_BALLOTS - 1}
    )
  )
`;

/**
 * Whether an agent may vote at `now` in the newest round of the case `k`. Whether it may vote in
 * any round is asked first, once for all cases, so that nothing is walked for who may not.
 */
export const mayVote = (agentId: string, now: string): Sql => sql`
  (
    SELECT EXISTS (
      SELECT 1
      FROM agents v
      JOIN capability_states c ON c.agent_id = v.id AND c.capability = 'reviewer'
      WHERE v.id = ${agentId} AND NOT v.blocked AND NOT v.synthetic AND c.state = 'active'
    )
  )
  AND k.state = 'open' AND EXISTS (
    SELECT 1
    FROM agents a
    JOIN adjudication_rounds r ON r.case_id = k.id AND r.state = 'open'
    WHERE a.id = ${agentId} AND r.closes_at > ${now} AND ${eligibleVoter}
      AND NOT EXISTS (
        SELECT 1
        FROM adjudication_ballots b
        WHERE b.round_id = r.id AND b.voter_id = a.id
      )
      AND ${hasRoom}
  )
`;
