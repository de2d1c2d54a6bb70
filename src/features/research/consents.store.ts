import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** Finds the consent of an agent; undefined if it never answered. */
export const findConsent = (db: Queryable, agentId: string) =>
  db.first<{ consent: boolean; updatedAt: string }>(sql`
    SELECT consent, updated_at AS "updatedAt"
    FROM research_consents
    WHERE agent_id = ${agentId}
  `);

/** Stores the consent of an agent. */
export const upsertConsent = (
  tx: Transaction,
  agentId: string,
  consent: boolean,
  now: string,
): void =>
  tx.send(sql`
    INSERT INTO research_consents (agent_id, consent, updated_at)
    VALUES (${agentId}, ${consent}, ${now})
    ON CONFLICT (agent_id)
    DO UPDATE SET consent = excluded.consent, updated_at = excluded.updated_at
  `);
