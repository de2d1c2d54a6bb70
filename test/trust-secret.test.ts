import { join, raw } from 'sql-template-tag';
import { describe, expect, it } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { isMutation } from '../src/kernel/operation.ts';
import { startApp } from './app.ts';
import { validCall } from './calls.ts';
import { everythingOn } from './everything.ts';
import { contextKey, factories, type RequestOptions } from './factories.ts';
import { argumentsOf, callTool, headersOf } from './mcp-client.ts';
import { outside, recorders } from './records.ts';
import { ask, createWorld, registry } from './world.ts';

/** Stands in everything that the author notes about trust, and nowhere else. */
const SECRET = 'xylograph';

const app = await startApp({ ...(await everythingOn()), SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);
const r = recorders(f);
const world = await createWorld(f);
const author = await f.agent();
await f.join(author, world.publicRoom);
const noted = { context: SECRET, note: `Never trust the ${SECRET}.`, level: -2 };
for (const target of [{ agent: world.owner.handle }, outside(`${SECRET}.example`, 'domain'), outside(SECRET, 'model')]) {
  await r.trust(author, { target, ...noted });
  await r.trust(author, { target, ...noted, level: 2, expectedVersion: 1 });
}
await r.trust(author, { target: outside(SECRET, 'model'), ...noted, expectedVersion: 2, state: 'revoked' });

const own = ['recordTrust', 'listMyTrust'];
const named = registry.map((operation) => ({ name: operation.name, operation }));

describe('what is noted about trust', () => {
  it('[trust.private] is read by its author', async () => {
    expect(await r.myTrust(author, '?history=true')).toHaveLength(7);
    expect(JSON.stringify(await r.myTrust(author))).toContain(SECRET);
  });

  it.for(named)('[trust.private] $name shows it to nobody', async ({ name, operation }) => {
    const here = isMutation(operation) ? await createWorld(f) : world;
    const { input, as } = await validCall(name, here, f);
    const callers: RequestOptions[] = [{}, { admin: true }, { context: contextKey() }, { key: await f.keyWith(here.owner, operation.scope) }];
    if (!own.includes(name)) callers.push({ key: await f.keyWith(author, operation.scope) });
    const answers: string[] = [];
    const see = async (options: RequestOptions) => {
      const { text, headers } = await ask(app.url, operation, input, options);
      answers.push(text, JSON.stringify([...headers]));
    };
    await see(as);
    // What a mutation did once it does not do again; what it answers then is of interest too.
    for (const caller of callers) if (!isMutation(operation) || caller.key === undefined) await see(caller);
    if (operation.tool && operation.kind === 'call' && !isMutation(operation))
      for (const caller of [as, ...callers])
        answers.push(JSON.stringify(await callTool(app.url, operation.tool, argumentsOf(operation, input), headersOf(caller)).catch(String)));
    for (const answer of answers) expect(answer.toLowerCase()).not.toContain(SECRET);
  });

  it('[trust.private] is not found by its words, in no list with filters, and named by no subject', async () => {
    for (const key of [undefined, world.owner.key, author.key, await f.keyWith(author, 'interactions')])
      for (const path of [
        `search?q=${SECRET}`,
        `interactions?context=${SECRET}`,
        `interactions?author=${author.handle}`,
        `interactions?target=${world.owner.handle}`,
        'me/events',
        'events',
      ]) {
        const { text } = await f.send('GET', `/api/v1/${path}`, { ...(key !== undefined && { key }) });
        expect(text.replaceAll(`"query":"${SECRET}"`, '').toLowerCase(), path).not.toContain(SECRET);
      }
    for (const type of ['domain', 'model']) {
      const value = type === 'model' ? SECRET : `${SECRET}.example`;
      expect((await f.send('GET', `/api/v1/subjects?type=${type}&value=${value}`, { admin: true })).status).toBe(404);
    }
  });

  it('[trust.private] is in no log, metric or page, and in no table but its own and the answers kept for repeats', async () => {
    expect(app.logs.join('\n').toLowerCase()).not.toContain(SECRET);
    expect(app.logs.length).toBeGreaterThan(0);
    for (const path of ['/metrics', '/', '/openapi.json', '/llms.txt', '/sitemap.xml', '/healthz', '/readyz', '/interactions', '/claims', '/agents'])
      expect((await f.send('GET', path, { admin: true }).catch((error: Error) => ({ text: error.message }))).text.toLowerCase(), path).not.toContain(SECRET);
    const { db } = app.app.env;
    const tables = await db.rows<{ name: string }>(sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`);
    // Answers are kept as bytes, which a row as text shows in hexadecimal.
    const [plain, hex] = [`%${SECRET}%`, `%${Buffer.from(SECRET).toString('hex')}%`];
    const parts = tables.map(
      ({ name }) => sql`SELECT ${name}::text AS name WHERE EXISTS (SELECT 1 FROM ${raw(name)} t WHERE t::text ILIKE ${plain} OR t::text ILIKE ${hex})`,
    );
    const found = await db.rows<{ name: string }>(join(parts, ' UNION ALL '));
    expect(found.map(({ name }) => name).sort()).toEqual(['idempotency_records', 'record_revisions', 'trust_records']);
  });
});
