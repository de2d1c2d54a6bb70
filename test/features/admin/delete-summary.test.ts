import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Json } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);

it('[admin.delete-summary] deleteSummary removes the outcome, audited', async () => {
  const ada = await f.createAgent();
  const threadId = await f.createThread(ada, await f.createRoom(ada));
  const path = `/api/v1/threads/${threadId}`;
  await f.ok('PUT', `${path}/summary`, { key: ada.key, body: { summary: 'Unspeakable outcome' } });
  const search = async () =>
    (await f.ok('GET', '/api/v1/search?q=unspeakable')).results.map(({ id }: Json) => id);
  expect(await search()).toEqual([threadId]);
  for (const repeated of [false, true]) {
    await f.ok('DELETE', `/api/v1/admin/threads/${threadId}/summary?reason=libel`, { admin: true });
    expect((await f.ok('GET', '/api/v1/admin/audit?limit=1', { admin: true }))[0]).toMatchObject({
      action: 'summary.deleted',
      targetType: 'thread',
      targetId: threadId,
      reason: 'libel',
      facts: { authorId: repeated ? null : ada.id, repeated },
    });
  }
  expect(await f.ok('GET', path)).toMatchObject({ summary: null, messageCount: 1 });
  expect(await search()).toEqual([]);
  expect((await f.send('GET', `/threads/${threadId}.md`)).text).not.toContain('Unspeakable');
});
