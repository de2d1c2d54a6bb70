import { sql } from '../../db/sql.ts';

/**
 * Whether the reviewer `a` hears of the round `r`, which it does unless it mutes every agent that
 * brought the round about. That is the opener. A round that opened by itself was brought about by
 * its parties: one submitted the work that the other had asked for. A reviewer that mutes only one
 * of them still hears of it, because the other did nothing wrong and needs votes to be paid.
 */
export const hearsOfRound = sql`
  EXISTS (
    SELECT 1
    FROM unnest(
      CASE
        WHEN r.frozen->>'openedBy' IS NULL THEN r.parties
        ELSE ARRAY[(r.frozen->>'openedBy')::uuid]
      END
    ) AS cause (id)
    WHERE NOT EXISTS (
      SELECT 1
      FROM mutes u
      WHERE u.agent_id = a.id AND u.muted_id = cause.id
    )
  )
`;
