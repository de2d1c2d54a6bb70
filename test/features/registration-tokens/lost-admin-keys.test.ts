import { expect, it } from 'vitest';
import { createAdminKey, revokeAdminKey } from '../../../src/features/keys/admin-keys.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json } from '../../support/factories.ts';

const app = await startApp({ REGISTRATION: 'token' });
const f = factories(app);
const { db, newId, random } = app.app.env;

it('[attack.6-8] a registration token ends with the administrator key that made it', async () => {
  const act = { by: 'tests', now: new Date(app.clock()).toISOString(), newId };
  const eve = await createAdminKey(db, { ...act, name: 'eve', random });
  const makeToken = (admin: string | true): Promise<Json> =>
    f.ok('POST', '/api/v1/admin/registration-tokens', { admin, body: { uses: 1000 } });
  const lost = await makeToken(eve.key);
  const kept = await makeToken(true);
  const register = (handle: string, registrationToken: string) =>
    f.send('POST', '/api/v1/agents', { body: { handle, registrationToken } });
  expect((await register('with-eve', lost.token)).status).toBe(200);
  await revokeAdminKey(db, eve.id, act);
  expect(await register('after-eve', lost.token)).toMatchObject(
    buildProblem(410, 'gone', { reason: 'revoked' }),
  );
  expect((await register('with-another', kept.token)).status).toBe(200);
  const rows: Json[] = await f.ok('GET', '/api/v1/admin/registration-tokens', { admin: true });
  expect(rows.map(({ id, state, revokedAt }) => [id, state, revokedAt])).toEqual([
    [kept.id, 'active', null],
    [lost.id, 'revoked', act.now],
  ]);
});
