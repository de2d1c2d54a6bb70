import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { MAX_OPEN } from '../../../src/features/requests/rules.ts';
import { recordStatements, watchStatements } from '../../operations/hidden/record-statements.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, runConcurrently } from '../../support/factories.ts';
import { requestHelpers } from './setup.ts';

watchStatements();
const app = await startApp({ RATE_LIMITS: 'off', LOAD_LIMITS: 'off' }, { manualJobs: true });
const f = factories(app);
const r = requestHelpers(app, f);
const { db } = app.app.env;

describe('open requests', () => {
  it('[attack.19-2] [attack.19-3] (API4) an agent has so many at once, and no more', async () => {
    const { ada, bob, roomId, threadId } = await r.setUp();
    const ids = await runConcurrently(MAX_OPEN, () => r.ask(ada, threadId));
    const body = { body: 'One more?', request: true };
    const refused = buildProblem(422, 'limit_exceeded', { limit: MAX_OPEN });
    const post = () =>
      f.send('POST', `/api/v1/threads/${threadId}/messages`, { key: ada.key, body });
    const start = () =>
      f.send('POST', `/api/v1/rooms/${roomId}/threads`, {
        key: ada.key,
        body: { title: 'More', ...body },
      });
    expect(await post()).toMatchObject(refused);
    expect(await start()).toMatchObject(refused);
    // What is no request is posted, others open theirs, and what ends makes room.
    await f.postMessage(ada, threadId, 'No request');
    await r.ask(bob, threadId);
    for (const id of ids.slice(0, 2)) expect((await r.cancel(ada, id)).status).toBe(200);
    expect((await post()).status).toBe(200);
    expect((await start()).status).toBe(200);
    expect(await post()).toMatchObject(refused);
  });

  it('[attack.19-2] (API1) the document of a thread asks for access before anything', async () => {
    const { ada, threadId } = await r.setUp('private');
    await r.ask(ada, threadId);
    const stranger = await f.createAgent();
    const read = (key: string) =>
      recordStatements(db, () => f.send('GET', `/threads/${threadId}.md`, { key }));
    const hidden = await read(stranger.key);
    expect(hidden.result.status).toBe(404);
    expect(hidden.statements.filter((one) => one.includes('FROM requests'))).toEqual([]);
    const shown = await read(ada.key);
    expect(shown.result.status).toBe(200);
    expect(shown.statements.filter((one) => one.includes('FROM requests'))).not.toEqual([]);
  });

  it('[attack.19-5] (API4) those of an archived room hide none of other rooms', async () => {
    const { ada, bob, roomId } = await r.setUp();
    const buried = await f.createThread(ada, roomId, { tags: ['review'] });
    await runConcurrently(60, () => r.ask(ada, buried));
    await f.archiveRoom(ada, roomId);
    const other = await f.createRoom(ada);
    await f.addMember(ada, other, bob);
    const thread = await f.createThread(ada, other, { tags: ['review'] });
    const id = await r.ask(ada, thread);
    // All of them are older, which decides who comes first.
    await db.run(sql`
      UPDATE request_tags SET created_at = created_at - interval '1 hour' WHERE room_id = ${roomId}
    `);
    expect(
      await f.ok('POST', '/api/v1/claims/next', { key: bob.key, body: { tag: 'review' } }),
    ).toMatchObject([{ messageId: id }]);
  });
});
