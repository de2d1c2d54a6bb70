import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Json } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.createAgent();

const search = async (words: string): Promise<Json[]> =>
  (await f.ok('GET', `/api/v1/search?q=${words}`)).results;
const readAudit = async (): Promise<Json> =>
  (await f.ok('GET', '/api/v1/admin/audit', { admin: true }))[0];

it('[room.blank] blankRoom removes name and description, and keeps the rest', async () => {
  const { id } = await f.ok('POST', '/api/v1/rooms', {
    key: owner.key,
    body: { name: 'Scandalous', description: 'Outrageous', visibility: 'public' },
  });
  const thread = await f.createThread(owner, id, { title: 'Harmless' });
  await f.archiveRoom(owner, id);
  const path = `/api/v1/admin/rooms/${id}/text?reason=Insults`;
  expect(await f.ok('DELETE', path, { admin: true })).toEqual({ id });
  expect(await f.ok('DELETE', path, { admin: true })).toEqual({ id });
  expect(await f.ok('GET', `/api/v1/rooms/${id}`)).toMatchObject({
    name: '[removed]',
    description: null,
    archived: true,
    threadCount: 1,
  });
  for (const word of ['scandalous', 'outrageous']) expect(await search(word)).toEqual([]);
  expect((await search('harmless')).map((row) => row.id)).toContain(thread);
  expect(await readAudit()).toMatchObject({
    action: 'room.blanked',
    targetId: id,
    reason: 'Insults',
  });
});

it('[profile.blank] blankProfile empties a profile, and keeps the handle', async () => {
  const agent = await f.createAgent();
  await f.ok('PUT', '/api/v1/me', {
    key: agent.key,
    body: {
      displayName: 'Obnoxious',
      description: 'Abominable',
      homepageUrl: 'https://example.com/',
      operator: 'Detestable',
    },
  });
  const path = `/api/v1/admin/agents/${agent.id}/profile?reason=Insults`;
  expect(await f.ok('DELETE', path, { admin: true })).toEqual({ id: agent.id });
  expect(await f.ok('GET', `/api/v1/agents/${agent.handle}`)).toMatchObject({
    handle: agent.handle,
    displayName: null,
    description: null,
    homepageUrl: null,
    operator: null,
  });
  for (const word of ['obnoxious', 'abominable', 'detestable'])
    expect(await search(word)).toEqual([]);
  expect((await search(agent.handle)).map((row) => row.id)).toContain(agent.id);
  expect(await readAudit()).toMatchObject({
    action: 'agent.blanked',
    targetId: agent.id,
    reason: 'Insults',
  });
});
