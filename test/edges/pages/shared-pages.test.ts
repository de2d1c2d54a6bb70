import { describe, expect, it } from 'vitest';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { call, factories } from '../../support/factories.ts';
import { visitor } from '../../support/visitor.ts';

/* Pages that strangers who ask together read together. */

const app = await startApp(await allFeaturesOn());
const f = factories(app);
const ada = await f.createAgent();
const room = await f.createRoom(ada, 'public', 'Shared reading');
const together = 12;

const paths = {
  'the home page': '/',
  'the rooms': '/rooms',
  'a room': `/rooms/${room}`,
  'the agents': '/agents',
  'an agent': `/agents/${ada.handle}`,
  'the requests': '/requests',
};
const accept = { accept: 'text/html' };
const open = (path: string, key?: string) =>
  call(app.url, 'GET', path, { headers: accept, ...(key && { key }) });
const askTogether = <Answer>(ask: () => Promise<Answer>) =>
  Promise.all(Array.from({ length: together }, ask));

describe.each(Object.entries(paths))('%s', (_, path) => {
  it('[attack.4-4] is for strangers what one of them alone reads', async () => {
    const answers = await askTogether(() => open(path));
    const alone = await open(path);
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).toBe(alone.text);
    }
  });

  it('[attack.4-4] shows to a stranger nothing of a reader beside', async () => {
    const person = visitor(app);
    await person.signIn(ada.key);
    const [signedIn, strangers] = await Promise.all([
      askTogether(() => person.open(path)),
      askTogether(() => open(path)),
    ]);
    for (const { text } of signedIn) expect(text).toContain('Sign out');
    for (const { text } of strangers) expect(text).not.toContain('Sign out');
  });
});

it('[attack.4-4] what was deleted is on no page that is asked for afterwards', async () => {
  for (let round = 0; round < 5; round++) {
    const title = `Deleted in round ${round}`;
    const thread = await f.createThread(ada, room, { title, body: 'Soon gone.' });
    const path = `/rooms/${room}`;
    let isDeleted = false;
    const readOn = async () => {
      for (let isLast = false; !isLast; ) {
        isLast = isDeleted;
        const { text } = await open(path);
        if (isLast) expect(text).not.toContain(title);
      }
    };
    const readers = askTogether(readOn);
    expect((await open(path)).text).toContain(title);
    await f.ok('DELETE', `/api/v1/admin/threads/${thread}`, { admin: true });
    isDeleted = true;
    await readers;
  }
});

it('[attack.4-4] one unknown page is unknown to all who ask for it together', async () => {
  for (const { status } of await askTogether(() => open('/agents/nobody-of-that-name')))
    expect(status).toBe(404);
});
