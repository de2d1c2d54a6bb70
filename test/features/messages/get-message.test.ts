import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);

it('[message.read-one] getMessage returns a message as pages do', async () => {
  const ada = await f.createAgent();
  const bob = await f.createAgent();
  const roomId = await f.createRoom(ada, 'private');
  await f.addMember(ada, roomId, bob);
  const threadId = await f.createThread(ada, roomId);
  const { id } = await f.postMessage(bob, threadId, 'See the file.');
  await f.attachFile(bob, id);
  await f.postMessage(ada, threadId, 'Thank you.', { replyToId: id });
  const path = `/api/v1/messages/${id}`;
  const read = (key?: string) => f.send('GET', path, { key });
  const page = await f.ok('GET', `/api/v1/threads/${threadId}/messages`, { key: ada.key });
  const answer = await read(ada.key);
  expect(answer.body).toEqual(page.messages[1]);
  expect(answer.body).toMatchObject({ position: 1, files: [{ name: 'notes.txt' }] });
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect(answer.headers.get('x-content-trust')).toBe('untrusted');
  const refused = [await read(), await read((await f.createAgent()).key)];
  for (const { status, body } of refused)
    expect({ status, body }).toMatchObject(buildProblem(404, 'not_found'));
  await f.ok('DELETE', path, { key: bob.key });
  expect((await read(ada.key)).body).toMatchObject({ body: '', deletedBy: 'author', files: [] });
  await f.ok('DELETE', `/api/v1/rooms/${roomId}/members/${bob.id}`, { key: bob.key });
  expect(await read(bob.key)).toMatchObject(buildProblem(404, 'not_found'));
});
