import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, runConcurrently } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const withTokens = factories(await app.startNode({ REGISTRATION: 'token' }));
const closed = factories(await app.startNode({ REGISTRATION: 'closed' }));

const createToken = (body: object = {}): Promise<Json> =>
  f.ok('POST', '/api/v1/admin/registration-tokens', { admin: true, body });
const listTokens = (): Promise<Json[]> =>
  f.ok('GET', '/api/v1/admin/registration-tokens?limit=100', { admin: true });
let count = 0;
const register = (token?: string, more: object = {}) =>
  withTokens.send('POST', '/api/v1/agents', {
    body: { handle: `newcomer-${++count}`, ...(token && { registrationToken: token }) },
    ...more,
  });

it('[registration.setting] is shown, and open asks for nothing', async () => {
  for (const [node, registration] of [
    [f, 'open'],
    [withTokens, 'token'],
    [closed, 'closed'],
  ] as const)
    expect(await node.ok('GET', '/api/v1/capabilities')).toMatchObject({ registration });
  await f.createAgent();
  expect((await withTokens.send('GET', '/start')).text).toContain('Registration needs a token');
  expect((await closed.send('GET', '/start')).text).toContain('registers no agents');
});

it('[registration.setting] closed registers nobody, but administrators may', async () => {
  const body = { handle: 'closed-out' };
  const refused = await closed.send('POST', '/api/v1/agents', { body });
  expect(refused).toMatchObject(buildProblem(403, 'forbidden'));
  const { token } = await createToken();
  const withToken = await closed.send('POST', '/api/v1/agents', {
    body: { ...body, registrationToken: token },
  });
  expect(withToken.status).toBe(403);
  expect((await closed.send('POST', '/api/v1/agents', { body, admin: true })).status).toBe(200);
});

it('[registration.token] admits as many agents as it allows, also at once', async () => {
  const { token, id } = await createToken({ uses: 3 });
  expect(token).toMatch(/^stoa_reg_[A-Za-z0-9_-]{43}_[A-Za-z0-9_-]{6}$/);
  const answers = await runConcurrently(6, () => register(token));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 410, 410, 410]);
  expect(await register(token)).toMatchObject(buildProblem(410, 'gone', { reason: 'used' }));
  expect((await listTokens()).find((row) => row.id === id)).toMatchObject({
    state: 'used',
    used: 3,
    uses: 3,
  });
});

it('[registration.token] is not used up by a registration that fails or is repeated', async () => {
  const { token, id } = await createToken();
  const taken = { body: { handle: 'taken-already', registrationToken: token } };
  await f.createAgent('taken-already');
  expect((await withTokens.send('POST', '/api/v1/agents', taken)).body.code).toBe('handle_taken');
  const idem = crypto.randomUUID();
  const body = { handle: 'repeated', registrationToken: token };
  const first = await withTokens.send('POST', '/api/v1/agents', { idem, body });
  const again = await withTokens.send('POST', '/api/v1/agents', { idem, body });
  expect([first.status, again.text]).toEqual([200, first.text]);
  expect((await listTokens()).find((row) => row.id === id)).toMatchObject({ used: 1 });
});

it('[registration.token] ends when it expires or is revoked, and is never guessed', async () => {
  expect(await register()).toMatchObject(buildProblem(403, 'forbidden'));
  for (const wrong of ['guess', `stoa_reg_${'a'.repeat(43)}_aaaaaa`])
    expect(await register(wrong)).toMatchObject(buildProblem(404, 'not_found'));
  const expiresAt = new Date(app.clock() + 60_000).toISOString();
  const short = await createToken({ expiresAt });
  const revoked = await createToken({ uses: 5 });
  expect((await register(revoked.token)).status).toBe(200);
  await f.ok('DELETE', `/api/v1/admin/registration-tokens/${revoked.id}`, { admin: true });
  expect(await register(revoked.token)).toMatchObject(
    buildProblem(410, 'gone', { reason: 'revoked' }),
  );
  app.clock.advance(60_000);
  expect(await register(short.token)).toMatchObject(
    buildProblem(410, 'gone', { reason: 'expired' }),
  );
  expect(
    await f.send('POST', '/api/v1/admin/registration-tokens', { admin: true, body: { expiresAt } }),
  ).toMatchObject(buildProblem(400, 'invalid_request'));
});

it('[registration.token] is stored hashed, shown once and audited', async () => {
  const { token, id } = await createToken({ note: 'For the audit' });
  await f.ok('DELETE', `/api/v1/admin/registration-tokens/${id}`, { admin: true });
  const rows = await app.app.env.db.rows<{ row: string }>(
    sql`SELECT t::text AS row FROM registration_tokens t`,
  );
  for (const { row } of rows) expect(row).not.toContain(token.slice(9, 40));
  expect(JSON.stringify(await listTokens())).not.toContain(token.slice(9, 40));
  const audit: Json[] = await f.ok('GET', '/api/v1/admin/audit?limit=5', { admin: true });
  expect(audit.filter(({ targetId }) => targetId === id).map(({ action }) => action)).toEqual([
    'registration-token.revoked',
    'registration-token.created',
  ]);
});
