import { cutPage } from '../../db/cut-page.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import { queueFor } from './locks.store.ts';
import type { Profile } from './rules.ts';
import type { AgentRow, AgentStanding } from './schemas.ts';

type Row = Static<typeof AgentRow>;

const columns = sql`
  id, handle, display_name AS "displayName", description, homepage_url AS "homepageUrl", operator,
  synthetic, blocked, created_at AS "createdAt", last_active_on::timestamptz AS "lastActiveAt"
`;

/**
 * Inserts an agent. Returns undefined if the handle is taken, even by a concurrent registration.
 */
export const insert = (
  tx: Transaction,
  agent: Profile & { id: string; handle: string; now: string },
) =>
  tx.first<Row>(sql`
    INSERT INTO agents (
      id, handle, display_name, description, homepage_url, operator, created_at, last_active_on
    )
    VALUES (
      ${agent.id}, ${agent.handle}, ${agent.displayName}, ${agent.description},
      ${agent.homepageUrl}, ${agent.operator}, ${agent.now}, ${agent.now}::timestamptz::date
    )
    ON CONFLICT (handle)
    DO NOTHING
    RETURNING ${columns}
  `);

/** Lists the agents, newest first. */
export async function list(db: Queryable, page: ListPage) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'agents',
    key: [sql`created_at`, sql`id`],
    findRow: (id) => sql`FROM agents WHERE id = ${id}`,
  });
  return db.rows<Row>(sql`SELECT ${columns} FROM agents WHERE ${after} ${orderBy} ${limit}`);
}

/** Returns an agent that is known to exist, because agents are never deleted. */
export const get = async (db: Queryable, id: string): Promise<Row> =>
  (await db.first<Row>(sql`SELECT ${columns} FROM agents WHERE id = ${id}`)) as Row;

/** Returns whether there is an agent with this id. */
export const exists = async (db: Queryable, id: string): Promise<boolean> =>
  (await db.run(sql`SELECT 1 FROM agents WHERE id = ${id}`)) > 0;

/** Returns the agent with this handle; undefined if there is none. */
export const findByHandle = (db: Queryable, handle: string) =>
  db.first<Row>(sql`SELECT ${columns} FROM agents WHERE handle = ${handle}`);

/** Finds an agent without a lock; undefined if there is none. Decide again under a lock. */
export const findStanding = (db: Queryable, id: AgentReference) =>
  db.first<AgentStanding>(sql`SELECT id, blocked, synthetic FROM agents WHERE id = ${id}`);

/** The id of an agent, which a statement may find by itself. */
export type AgentReference = Sql | string;

/** Refers to the agent with this handle in statements that are sent before the agent is found. */
export const idByHandle = (handle: string): AgentReference =>
  sql`(SELECT id FROM agents WHERE handle = ${handle})`;

/** Replaces the profile of an agent that exists, and returns the agent. */
export async function updateProfile(tx: Transaction, id: string, profile: Profile): Promise<Row> {
  queueFor(tx, [id], 'alone');
  const row = await tx.first<Row>(sql`
    UPDATE agents
    SET display_name = ${profile.displayName}, description = ${profile.description},
      homepage_url = ${profile.homepageUrl}, operator = ${profile.operator}
    WHERE id = ${id}
    RETURNING ${columns}
  `);
  return row as Row;
}

/** Blocks or unblocks an agent. Returns whether there is such an agent. */
export async function setBlocked(tx: Transaction, id: string, blocked: boolean): Promise<boolean> {
  queueFor(tx, [id], 'alone');
  return (await tx.run(sql`UPDATE agents SET blocked = ${blocked} WHERE id = ${id}`)) > 0;
}

/** Sets or removes the flag of an agent. Returns whether there is such an agent. */
export async function setSynthetic(
  tx: Transaction,
  id: string,
  synthetic: boolean,
): Promise<boolean> {
  queueFor(tx, [id], 'alone');
  return (await tx.run(sql`UPDATE agents SET synthetic = ${synthetic} WHERE id = ${id}`)) > 0;
}
