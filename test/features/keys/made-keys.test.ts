import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Json } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const scopes = ['forum', 'credentials'];

const make = (key: string): Promise<Json> =>
  f.ok('POST', '/api/v1/me/keys', { key, body: { scopes } });
const rotate = async (key: string): Promise<string> =>
  (await f.ok('POST', '/api/v1/me/keys/rotate', { key })).apiKey;
const revoke = (key: string, id: string) => f.ok('DELETE', `/api/v1/me/keys/${id}`, { key });
const getMe = (keys: readonly string[]) =>
  Promise.all(keys.map((key) => f.sendForOutcome('GET', '/api/v1/me', { key })));
const ended = '401 invalid_credential';

/** A key that an owner lent, a key that it made, and one that this made. */
async function setUp() {
  const owner = await f.createAgent();
  await f.grantCapability(owner, 'credentials');
  const lent = await make(owner.key);
  const child = await make(lent.apiKey);
  const grandchild = await make(child.apiKey);
  return { owner, lent, child, grandchild, other: await make(owner.key) };
}

it('[attack.6-3] what a revoked key made ends with it, whatever that became', async () => {
  const { owner, lent, child, grandchild, other } = await setUp();
  const rotated = await rotate(grandchild.apiKey);
  await revoke(owner.key, lent.id);
  expect(await getMe([lent.apiKey, child.apiKey, rotated])).toEqual([ended, ended, ended]);
  expect(await getMe([owner.key, other.apiKey])).toEqual(['200', '200']);
});

it('[attack.6-3] a child that rotates itself stays that of its maker', async () => {
  const { owner, lent, child } = await setUp();
  const rotated = await rotate(await rotate(child.apiKey));
  expect(await getMe([rotated])).toEqual(['200']);
  await revoke(owner.key, lent.id);
  expect(await getMe([rotated])).toEqual([ended]);
});

it('[attack.6-3] a scoped key that rotates leaves nothing that its old secret made', async () => {
  const { owner, lent, child, grandchild, other } = await setUp();
  const rotated = await rotate(lent.apiKey);
  expect(await getMe([child.apiKey, grandchild.apiKey])).toEqual([ended, ended]);
  expect(await getMe([owner.key, rotated, other.apiKey])).toEqual(['200', '200', '200']);
  expect(await getMe([(await make(rotated)).apiKey])).toEqual(['200']);
});

it('[attack.6-3] what the original key made stays when that key changes', async () => {
  const { owner, lent, child } = await setUp();
  const rotated = await rotate(owner.key);
  expect(await getMe([lent.apiKey, child.apiKey])).toEqual(['200', '200']);
  await f.ok('DELETE', '/api/v1/me/keys/current', { key: rotated });
  expect(await getMe([rotated, lent.apiKey, child.apiKey])).toEqual([ended, '200', '200']);
});
