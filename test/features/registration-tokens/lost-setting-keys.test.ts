import { expect, it } from 'vitest';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json } from '../../support/factories.ts';

const LOST_KEY = 'administrator-key-that-somebody-else-got';
const app = await startApp({ REGISTRATION: 'token', ADMIN_KEYS: `${ADMIN_KEY},${LOST_KEY}` });
const f = factories(app);
const tokens = '/api/v1/admin/registration-tokens';

it('[attack.8-5] (API2) a registration token ends with the key in ADMIN_KEYS', async () => {
  const makeToken = (admin: string): Promise<Json> =>
    f.ok('POST', tokens, { admin, body: { uses: 1000 } });
  const lost = await makeToken(LOST_KEY);
  const kept = await makeToken(ADMIN_KEY);
  const register = (handle: string, registrationToken: string, node = f) =>
    node.send('POST', '/api/v1/agents', { body: { handle, registrationToken } });
  expect((await register('with-lost', lost.token)).status).toBe(200);
  const listStates = async (node = f) => {
    const rows: Json[] = await node.ok('GET', tokens, { admin: ADMIN_KEY });
    return rows.map(({ id, state, revokedAt }) => [id, state, revokedAt]);
  };
  expect(await listStates()).toEqual([
    [kept.id, 'active', null],
    [lost.id, 'active', null],
  ]);
  // The operator takes the key out of the setting, and starts the service again.
  const later = factories(await app.startNode({ ADMIN_KEYS: ADMIN_KEY }));
  expect((await later.send('GET', tokens, { admin: LOST_KEY })).status).toBe(401);
  expect(await register('after-lost', lost.token, later)).toMatchObject(
    buildProblem(410, 'gone', { reason: 'revoked' }),
  );
  expect((await register('with-kept', kept.token, later)).status).toBe(200);
  expect(await listStates(later)).toEqual([
    [kept.id, 'active', null],
    [lost.id, 'revoked', null],
  ]);
});
