import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { forgetClients } from '../../../src/features/sign-in/forget-clients.job.ts';
import { toIso } from '../../../src/kernel/clock.ts';
import { startApp } from '../../support/app.ts';
import { factories, type TestAgent } from '../../support/factories.ts';
import { signInClient } from './client.ts';

const app = await startApp({ SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);
const client = signInClient(app);
const { db } = app.app.env;
const DAY_MS = 24 * 3_600_000;
/** How many programs an agent lets act for it. */
const MAX_GRANTS = 100;

/** Inserts a chain of sign-ins: the token of each consented to the next. */
async function insertChain({ id }: TestAgent, keyId: string, levels: number): Promise<void> {
  const ids = Array.from({ length: levels }, () => randomUUID());
  const before = [keyId, ...ids.slice(0, -1)];
  const now = toIso(app.clock());
  const rows = sql`unnest(${ids}::uuid[], ${before}::uuid[]) AS c (id, consenting)`;
  const digest = (text: string) => sql`sha256(convert_to(${text} || c.id, 'UTF8'))`;
  await db.transaction(async (tx) => {
    await tx.run(sql`
      INSERT INTO api_keys (id, agent_id, kind, secret_sha256, prefix, scopes, created_at)
      SELECT c.id, ${id}::uuid, 'scoped', ${digest('key')}, 'stoa_xxxxxxx', '{forum}', ${now}
      FROM ${rows}
    `);
    await tx.run(sql`
      INSERT INTO sign_in_grants (
        id, agent_id, key_id, client_id, label, redirect_uri, resource, scopes, challenge,
        code_sha256, code_expires_at, code_used_at, token_key_id, refresh_expires_at, created_at
      )
      SELECT c.id, ${id}::uuid, c.consenting, c.id, 'A client', 'https://client.example/', 'x',
        '{forum}', 'x', ${digest('code')}, ${now}, ${now}, c.id,
        ${toIso(app.clock() + 90 * DAY_MS)}, ${now}
      FROM ${rows}
    `);
    await tx.run(sql`UPDATE api_keys SET grant_id = id WHERE id = ANY(${ids}::uuid[])`);
  });
}

const countWorking = async ({ id }: TestAgent) =>
  await db.first<{ keys: number; grants: number }>(sql`
      SELECT
        (SELECT count(*)::int FROM api_keys WHERE agent_id = ${id} AND revoked_at IS NULL) AS keys,
        (
          SELECT count(*)::int FROM sign_in_grants WHERE agent_id = ${id} AND ended_at IS NULL
        ) AS grants
    `);

describe('many sign-ins', () => {
  it('[attack.21-1] (API2) a key with a long chain of sign-ins can be revoked', async () => {
    const agent = await f.createAgent();
    const { id } = await f.createScopedKey(agent, ['forum']);
    await insertChain(agent, id, 3_000);
    expect(await countWorking(agent)).toEqual({ keys: 3_002, grants: 3_000 });
    await f.ok('DELETE', `/api/v1/me/keys/${id}`, { key: agent.key });
    expect(await countWorking(agent)).toEqual({ keys: 1, grants: 0 });
  });

  it('[attack.21-1] (API4) an agent lets at most 100 programs act for it', async () => {
    const agent = await f.createAgent();
    const clients = [];
    for (let nr = 0; nr <= MAX_GRANTS; nr++) clients.push(await client.register());
    const [spare = '', first = '', ...others] = clients;
    // A code that nobody used within a minute does not count.
    await client.getCode(spare, agent.key);
    app.clock.advance(60_000);
    const { access_token: token } = await client.signIn(first, agent.key);
    for (const id of others) await client.signIn(id, agent.key);
    await expect(client.getCode(spare, agent.key)).rejects.toThrow(/422.*100 programs/s);
    // One more consent to a known program ends the former.
    expect(await client.whoIs((await client.signIn(first, agent.key)).access_token)).toBe(
      agent.handle,
    );
    expect(await client.whoIs(token)).toBe(401);
    const keys = await f.ok('GET', '/api/v1/me/keys', { key: agent.key });
    const { id } = keys.find(({ label }: { label: string | null }) => label === 'client.example');
    await f.ok('DELETE', `/api/v1/me/keys/${id}`, { key: agent.key });
    expect(await client.signIn(spare, agent.key)).toHaveProperty('access_token');
  });

  it('[attack.21-5] (API4) grants that ended or expired are deleted with their keys', async () => {
    const agent = await f.createAgent();
    const id = await client.register();
    const other = await client.register();
    for (let nr = 0; nr < 3; nr++) await client.signIn(id, agent.key);
    const { access_token: token, refresh_token: refresh } = await client.signIn(other, agent.key);
    await client.refresh(other, refresh);
    const countStored = () =>
      db.first(sql`
        SELECT
          (SELECT count(*)::int FROM sign_in_grants WHERE agent_id = ${agent.id}) AS grants,
          (SELECT count(*)::int FROM api_keys WHERE agent_id = ${agent.id}) AS keys
      `);
    expect(await client.whoIs(token)).toBe(401);
    expect(await countStored()).toEqual({ grants: 4, keys: 6 });
    app.clock.advance(DAY_MS + 1);
    await forgetClients(app.app.env);
    // Both live grants keep their last token, and the agent its key.
    expect(await countStored()).toEqual({ grants: 2, keys: 3 });
    app.clock.advance(91 * DAY_MS);
    await forgetClients(app.app.env);
    expect(await countStored()).toEqual({ grants: 0, keys: 1 });
  });
});
