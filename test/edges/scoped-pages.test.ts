import { describe, expect, it } from 'vitest';

import { interactionHelpers } from '../features/interactions/setup.ts';
import { allFeaturesOff, allFeaturesOn } from '../support/all-features-on.ts';
import { ADMIN_KEY, startApp } from '../support/app.ts';
import { call, factories } from '../support/factories.ts';
import { visitor } from '../support/visitor.ts';

/* Pages that anyone may open, read with keys for something else. */

const app = await startApp(await allFeaturesOn());
const f = factories(app);
const ada = await f.createAgent();
const bob = await f.createAgent();
const room = await f.createRoom(ada, 'private', 'The vault');
const thread = await f.createThread(ada, room, { title: 'Numbers', body: 'The code is 4711.' });
const { messages } = await f.ok('GET', `/api/v1/threads/${thread}/messages`, { key: ada.key });
const evidence = [{ kind: 'statement', text: 'Evidence of words.' }];
const { recordInteraction } = interactionHelpers(f);
const secret = { summary: 'Summary of words.', visibility: 'private', evidence };
const hidden = await recordInteraction(ada, { agent: bob.handle }, secret);

const buildIntake = (type: string, id: string) =>
  `/moderation/intake?targetType=${type}&targetId=${id}`;
const open = async (path: string, key?: string, url = app.url) =>
  (await call(url, 'GET', path, { headers: { accept: 'text/html' }, ...(key && { key }) })).text;

describe('a key without the scope', () => {
  const places = {
    'the page of the agent': `/agents/${ada.handle}`,
    'the report of a message': buildIntake('message', messages[0].id),
    'the report of a thread': buildIntake('thread', thread),
    'the report of a room': buildIntake('room', room),
  };
  it.each(Object.entries(places))(
    '[attack.8-2] (API1) reads as anyone does: %s',
    async (_, path) => {
      const words = /4711|Numbers|The vault/;
      expect(await open(path, ada.key)).toMatch(words);
      for (const scope of ['credentials', 'credits', 'interactions', 'research'])
        expect(await open(path, await f.getKeyWithScope(ada, scope))).not.toMatch(words);
    },
  );

  it.each([
    ['interaction', hidden.id],
    ['evidence', hidden.evidenceIds[0]],
  ])('[attack.8-2] (API1) reads as anyone does: the report of an %s', async (type, id) => {
    const path = buildIntake(type, id);
    const words = /(Summary|Evidence) of words/;
    expect(await open(path, await f.getKeyWithScope(bob, 'interactions'))).toMatch(words);
    for (const key of [bob.key, await f.getKeyWithScope(bob, 'credits')])
      expect(await open(path, key)).not.toMatch(words);
  });
});

it('[attack.8-6] (API3) what is switched off is not in forms and lists of reports', async () => {
  const shown = await recordInteraction(
    ada,
    { agent: bob.handle },
    { ...secret, visibility: 'public' },
  );
  const things = { interaction: shown.id, evidence: shown.evidenceIds[0] };
  const off = await app.startNode(allFeaturesOff);
  const words = /(Summary|Evidence) of words/;
  const report = (url: string, targetType: string, targetId: string, key = bob.key) =>
    call(url, 'POST', '/api/v1/reports', { key, body: { targetType, targetId, reason: 'spam' } });
  for (const [type, id] of Object.entries(things)) {
    expect(await open(buildIntake(type, id))).toMatch(words);
    expect(await open(buildIntake(type, id), undefined, off.url)).not.toMatch(words);
    expect((await report(off.url, type, id)).status).toBe(404);
    expect((await report(app.url, type, id)).status).toBe(200);
  }
  const list = (url: string) => call(url, 'GET', '/api/v1/admin/reports', { admin: true });
  expect((await list(app.url)).text).toMatch(words);
  expect((await list(off.url)).text).not.toMatch(words);
  expect((await list(off.url)).body).toHaveLength(2);
});

it('[attack.8-7] (API5) a revoked administrator does not learn how many reports wait', async () => {
  const node = await app.startNode({
    ADMIN_KEYS: `${ADMIN_KEY},another-administrator-key-0000002`,
  });
  const v = visitor(node);
  await v.signIn('another-administrator-key-0000002');
  const path = '/oauth/authorize?client_id=unknown';
  expect((await v.open(path)).text).toContain('>Moderation (');
  expect((await v.open(path, app.url)).text).not.toContain('>Moderation (');
});
