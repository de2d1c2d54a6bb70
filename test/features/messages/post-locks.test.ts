import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const { db } = app.app.env;

it('[attack.lock] postMessage answers a stranger while another holds the thread', async () => {
  const owner = await f.createAgent();
  const stranger = await f.createAgent();
  const thread = await f.createThread(owner, await f.createRoom(owner, 'private'));
  await db.transaction(async (tx) => {
    await tx.run(sql`SELECT 1 FROM threads WHERE id = ${thread} FOR UPDATE`);
    for (const body of ['Hello', 'Hello @nobody'])
      expect(
        await f.send('POST', `/api/v1/threads/${thread}/messages`, {
          key: stranger.key,
          body: { body },
        }),
      ).toMatchObject(buildProblem(404, 'not_found'));
  });
});
