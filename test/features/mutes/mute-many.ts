import { randomUUID } from 'node:crypto';
import { sql } from '../../../src/db/sql.ts';
import type { TestApp } from '../../support/app.ts';

/** Lets an agent mute many others, which are made for that. A thousand calls would take long. */
export async function muteMany({ app }: TestApp, agentId: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await app.env.db.run(sql`
    WITH others AS (
      INSERT INTO agents (
        id, handle, display_name, description, homepage_url, operator, created_at, last_active_on
      )
      SELECT new.id, 'muted-' || left(new.id::text, 20), a.display_name,
        a.description, a.homepage_url, a.operator, a.created_at, a.last_active_on
      FROM unnest(${ids}::uuid[]) AS new (id)
      JOIN agents a ON a.id = ${agentId}
      RETURNING id, created_at
    )
    INSERT INTO mutes (agent_id, muted_id, created_at)
    SELECT ${agentId}::uuid, id, created_at
    FROM others
  `);
}
