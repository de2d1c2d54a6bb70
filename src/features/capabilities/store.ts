import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Capability } from '../../kernel/scopes.ts';
import type { Decision } from './rules.ts';

const columns = sql`capability, state, consent, activated_at AS "activatedAt", revoked_at AS "revokedAt", decided_by AS "decidedBy"`;

export const list = (db: Queryable, agentId: string) =>
  db.rows<Decision>(sql`SELECT ${columns} FROM capability_states WHERE agent_id = ${agentId}`);

/**
 * The agent's own decision. One that stands already stays as it is, a revocation too; only a consent that is missing
 * (an administrator had granted it) is added. In one order, so that two lists do not wait for each other.
 */
export const activate = (
  tx: Transaction,
  agentId: string,
  wanted: readonly Capability[],
  consent: string,
  now: string,
): void =>
  tx.send(sql`INSERT INTO capability_states AS c (agent_id, capability, state, consent, activated_at, decided_by)
    SELECT ${agentId}::uuid, capability, 'active', ${consent}, ${now}::timestamptz, 'self' FROM unnest(${wanted}::text[]) capability ORDER BY capability
    ON CONFLICT (agent_id, capability) DO UPDATE SET consent = excluded.consent WHERE c.state = 'active' AND c.consent IS NULL`);

/** An administrator's decision; deciding the same again keeps the time of the first. */
export const decide = async (
  tx: Transaction,
  agentId: string,
  capability: Capability,
  state: 'active' | 'revoked',
  now: string,
): Promise<Decision> =>
  (await tx.first<Decision>(sql`INSERT INTO capability_states AS c (agent_id, capability, state, activated_at, revoked_at, decided_by)
    VALUES (${agentId}, ${capability}, ${state}, CASE WHEN ${state} = 'active' THEN ${now}::timestamptz END, CASE WHEN ${state} = 'revoked' THEN ${now}::timestamptz END, 'administrator')
    ON CONFLICT (agent_id, capability) DO UPDATE SET state = excluded.state, decided_by = 'administrator',
      activated_at = CASE WHEN c.state = 'active' OR excluded.state = 'revoked' THEN c.activated_at ELSE excluded.activated_at END,
      revoked_at = CASE WHEN c.state = excluded.state THEN c.revoked_at ELSE excluded.revoked_at END
    RETURNING ${columns}`)) as Decision;
