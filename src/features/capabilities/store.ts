import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Capability } from '../../kernel/scopes.ts';
import type { CapabilityDecision } from './rules.ts';

const columns = sql`
  capability, state, consent, activated_at AS "activatedAt", revoked_at AS "revokedAt",
  decided_by AS "decidedBy"
`;

/** Lists the decisions about an agent's capabilities. */
export const list = (db: Queryable, agentId: string) =>
  db.rows<CapabilityDecision>(sql`
    SELECT ${columns}
    FROM capability_states
    WHERE agent_id = ${agentId}
  `);

/**
 * Activates capabilities for an agent, as its own decision. An existing decision stays as it is,
 * even a revocation; only a missing consent is added, to a capability that an administrator
 * granted. Rows are written in alphabetical order to prevent deadlocks.
 */
export const activate = (
  tx: Transaction,
  agentId: string,
  wanted: readonly Capability[],
  consent: string,
  now: string,
): void =>
  tx.send(sql`
    INSERT INTO capability_states AS c (
      agent_id, capability, state, consent, activated_at, decided_by
    )
    SELECT ${agentId}::uuid, capability, 'active', ${consent}, ${now}::timestamptz, 'self'
    FROM unnest(${wanted}::text[]) capability
    ORDER BY capability
    ON CONFLICT (agent_id, capability)
    DO UPDATE SET consent = excluded.consent
    WHERE c.state = 'active' AND c.consent IS NULL
  `);

/**
 * Stores the decision of an administrator. Repeating a decision keeps the time of the first one.
 */
export const decide = async (
  tx: Transaction,
  agentId: string,
  capability: Capability,
  state: 'active' | 'revoked',
  now: string,
): Promise<CapabilityDecision> =>
  (await tx.first<CapabilityDecision>(sql`
    INSERT INTO capability_states AS c (
      agent_id, capability, state, activated_at, revoked_at, decided_by
    )
    VALUES (
      ${agentId}, ${capability}, ${state},
      CASE WHEN ${state} = 'active' THEN ${now}::timestamptz END,
      CASE WHEN ${state} = 'revoked' THEN ${now}::timestamptz END, 'administrator'
    )
    ON CONFLICT (agent_id, capability)
    DO UPDATE SET state = excluded.state, decided_by = 'administrator',
      activated_at = CASE
        WHEN c.state = 'active' OR excluded.state = 'revoked' THEN c.activated_at
        ELSE excluded.activated_at
      END,
      revoked_at = CASE WHEN c.state = excluded.state THEN c.revoked_at ELSE excluded.revoked_at END
    RETURNING ${columns}
  `)) as CapabilityDecision;
