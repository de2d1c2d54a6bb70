import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const ada = await f.createAgent('ada-keeps');
const bob = await f.createAgent('bob-keeps');
const room = await f.createRoom(ada, 'public', 'The first name');
await f.joinRoom(bob, room);

const readPage = async (path: string) => f.send('GET', path, { headers: { accept: 'text/html' } });
/** Reads a page as often as it takes to be kept, and again; all answers must be the same. */
async function readOften(path: string): Promise<string> {
  const pages = [];
  for (let count = 0; count < 4; count++) pages.push((await readPage(path)).text);
  expect(new Set(pages).size).toBe(1);
  return pages[0] ?? '';
}

describe('a page of a thread that is read again and again', () => {
  it('[pages.kept] shows each change at once', async () => {
    const id = await f.createThread(ada, room, { title: 'Often read', body: 'The beginning.' });
    const path = `/threads/${id}`;
    expect(await readOften(path)).toContain('No outcome yet.');

    const { id: messageId } = await f.postMessage(ada, id, 'A second word.');
    expect(await readOften(path)).toContain('A second word.');
    await f.attachFile(ada, messageId, { name: 'enclosed.txt', bytes: 'Enclosed.' });
    expect(await readOften(path)).toContain('enclosed.txt');
    for (const summary of ['It was settled.', 'It was settled anew.']) {
      await f.ok('PUT', `/api/v1/threads/${id}/summary`, { key: ada.key, body: { summary } });
      expect(await readOften(path)).toContain(summary);
    }
    await f.ok('PUT', `/api/v1/rooms/${room}`, { key: ada.key, body: { name: 'The next name' } });
    const renamed = await readOften(path);
    expect(renamed).toContain('The next name');
    expect(renamed).not.toContain('The first name');
    await f.ok('DELETE', `/api/v1/messages/${messageId}`, { key: ada.key });
    const shortened = await readOften(path);
    expect(shortened).toContain('took this message back');
    expect(shortened).not.toMatch(/A second word|enclosed\.txt/);

    await f.ok('DELETE', `/api/v1/admin/threads/${id}`, {
      admin: true,
    });
    const gone = await readPage(path);
    expect(gone.status).toBe(410);
    expect(gone.text).not.toContain('The beginning.');
  });

  it('[pages.kept] shows who holds a request as long as it is held', async () => {
    const id = await f.createThread(ada, room, { title: 'Asks', body: 'The beginning.' });
    const { id: messageId } = await f.postMessage(ada, id, 'Who does it?', { request: true });
    expect(await readOften(`/threads/${id}`)).not.toContain('taken by');
    const claim = `/api/v1/messages/${messageId}/claim`;
    const { fence } = await f.ok('POST', claim, { key: bob.key });
    expect(await readOften(`/threads/${id}`)).toContain('taken by');
    await f.ok('DELETE', `${claim}?fence=${fence}`, { key: bob.key });
    expect(await readOften(`/threads/${id}`)).not.toContain('taken by');
  });

  it('[pages.kept] each part of a thread is a page of its own', async () => {
    const id = await f.createThread(ada, room, { title: 'In parts', body: 'Word 0.' });
    for (let count = 1; count < 60; count++) await f.postMessage(bob, id, `Word ${count}.`);
    const listWords = (page: string) => [...page.matchAll(/Word \d+\./g)].map(([word]) => word);
    const first = listWords(await readOften(`/threads/${id}`));
    const second = listWords(await readOften(`/threads/${id}?offset=50`));
    expect(first).toContain('Word 49.');
    expect(first).not.toContain('Word 50.');
    expect(second).toContain('Word 50.');
    expect(second).not.toContain('Word 49.');
    const whole = listWords((await readPage(`/threads/${id}?all=1`)).text);
    expect(whole).toEqual(expect.arrayContaining([...first, ...second]));
  });

  it('[pages.kept] nobody but a member reads a private one, however often', async () => {
    const hidden = await f.createRoom(ada, 'private', 'A hidden name');
    const id = await f.createThread(ada, hidden, { title: 'Hidden', body: 'A hidden word.' });
    for (let count = 0; count < 4; count++) {
      const own = await f.send('GET', `/threads/${id}`, {
        key: ada.key,
        headers: { accept: 'text/html' },
      });
      expect(own.text).toContain('A hidden word.');
      expect(own.headers.get('cache-control')).toContain('no-store');
      const stranger = await readPage(`/threads/${id}`);
      expect(stranger.status).toBe(404);
      expect(stranger.text).not.toMatch(/hidden (?:word|name)/i);
    }
  });
});

describe('a profile that is read again and again', () => {
  it('[pages.kept] shows each change at once', async () => {
    const path = `/agents/${ada.handle}`;
    const id = await f.createThread(ada, room, { title: 'What ada began', body: 'Said by ada.' });
    const first = await readOften(path);
    expect(first).toContain('What ada began');
    expect(first).toContain('Said by ada.');
    await f.postMessage(bob, id, 'Answered by bob.');
    const answered = await readOften(path);
    expect(answered).toContain('Answered by bob.');
    expect(answered).toContain('just now');
    app.clock.advance(120_000);
    expect(await readOften(path)).toContain('2 min ago');
    const description = 'It keeps what it reads.';
    await f.ok('PUT', '/api/v1/me', { key: ada.key, body: { description } });
    expect(await readOften(path)).toContain(description);
    const block = `/api/v1/admin/agents/${ada.id}/block`;
    await f.ok('PUT', block, { admin: true, body: { blocked: true, reason: 'A test.' } });
    expect(await readOften(path)).toContain('An administrator blocked this agent.');
    await f.ok('PUT', block, { admin: true, body: { blocked: false, reason: 'A test.' } });
    expect(await readOften(path)).not.toContain('An administrator blocked this agent.');
    await f.ok('DELETE', `/api/v1/admin/threads/${id}`, { admin: true });
    expect(await readOften(path)).not.toMatch(/What ada began|Said by ada/);
  });

  it('[pages.kept] says to each reader what that reader may know', async () => {
    const hidden = await f.createRoom(bob, 'private', 'Where bob hides');
    await f.createThread(bob, hidden, { title: 'What bob hides', body: 'Said in private.' });
    const path = `/agents/${bob.handle}`;
    const headers = { accept: 'text/html' };
    for (let count = 0; count < 4; count++) {
      expect((await f.send('GET', path, { key: bob.key, headers })).text).toContain('bob hides');
      expect((await readPage(path)).text).not.toMatch(/bob hides|Said in private/);
    }
  });
});
