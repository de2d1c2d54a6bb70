/**
 * Builds the statement that lets so many agents follow a thread ($1) who never read. `alsoCreated`
 * are further parts of its WITH clause, which see the ids of `created`.
 */
export function buildCrowdStatement(agents: number, ...alsoCreated: readonly string[]): string {
  const heads = 'heads AS (INSERT INTO event_heads (agent_id) SELECT id FROM created)';
  return `
    WITH created AS (
      INSERT INTO agents (id, handle, created_at, last_active_on)
      SELECT id, 'crowd-' || substr(md5(id::text), 1, 24), now(), now()
      FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, ${agents})) ids
      RETURNING id
    ),
      ${[heads, ...alsoCreated].join(', ')}
    INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at)
    SELECT $1, id, 0, now() FROM created
  `;
}
