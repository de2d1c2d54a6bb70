import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const { db } = app.app.env;

it('[attack.37-3] (API1) who has left waits for no thread to delete what is deleted', async () => {
  const owner = await f.createAgent();
  const author = await f.createAgent();
  const room = await f.createRoom(owner, 'private');
  await f.addMember(owner, room, author);
  const thread = await f.createThread(owner, room);
  const message = await f.postMessage(author, thread, 'A secret');
  const other = await f.postMessage(author, thread, 'With a file');
  const file = await f.attachFile(author, other.id);
  const remove = (path: string) => f.send('DELETE', `/api/v1/${path}`, { key: author.key });
  const paths = [`messages/${message.id}`, `files/${file.id}`];
  for (const path of paths) expect((await remove(path)).status).toBe(200);
  await f.ok('DELETE', `/api/v1/rooms/${room}/members/${author.id}`, { key: owner.key });
  await db.transaction(async (tx) => {
    await tx.run(sql`SELECT 1 FROM threads WHERE id = ${thread} FOR UPDATE`);
    for (const path of paths) expect((await remove(path)).status).toBe(200);
  });
});
