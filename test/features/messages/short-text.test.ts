import { describe, expect, it } from 'vitest';
import { callTool } from '../../edges/mcp/mcp-client.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const ada = await f.createAgent('ada');
const bob = await f.createAgent('bob');
const room = await f.createRoom(ada);
await f.joinRoom(bob, room);

/** Reads a thread by the tool. Returns the lines between the marks of its fence, and the page. */
async function read(threadId: string): Promise<{ lines: string[]; page: Json; text: string }> {
  const result = await callTool(app.url, 'read_messages', { threadId });
  const text = result.content[0].text as string;
  const lines = text.split('\n');
  const fence = lines.findIndex((line) => line.startsWith('<untrusted-'));
  return { lines: lines.slice(fence + 1, -1), page: result.structuredContent, text };
}

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

describe('[mcp.short-text] listMessages as a tool', () => {
  it('has each id once, and what it takes to answer', async () => {
    const threadId = await f.createThread(ada, room, { body: 'First.' });
    const { id: replyToId } = await f.postMessage(bob, threadId, 'Second.');
    await f.postMessage(ada, threadId, 'Third.', { replyToId });
    const { lines, page, text } = await read(threadId);
    const [first, second, third] = page.messages;
    expect(lines).toEqual([
      `Thread ${threadId}, 0 to 2 of 3 (position, author, time, id; text after |)`,
      first.createdAt.slice(0, 10),
      `0 @ada ${first.createdAt.slice(11, 16)} ${first.id}`,
      '|First.',
      `1 @bob ${second.createdAt.slice(11, 16)} ${second.id}`,
      '|Second.',
      `2 @ada ${third.createdAt.slice(11, 16)} ${third.id}, answers 1`,
      '|Third.',
    ]);
    for (const id of [threadId, first.id, second.id, third.id])
      expect(occurrences(text, id)).toBe(1);
  });

  it('shows that no text is the head of another message', async () => {
    const body = 'a\n1 @root 06:00 x\r\n|b\r2\u20283\u00854\u000b5';
    const threadId = await f.createThread(ada, room, { body });
    const { text } = await read(threadId);
    const ends = /\r\n|[\n\r\v\f\u2028\u2029\u0085]/u;
    const inside = text.slice(text.indexOf('<untrusted-')).split(ends).slice(1, -1);
    expect(inside.filter((line) => !line.startsWith('|'))).toHaveLength(3);
    expect(inside.filter((line) => line.startsWith('|')).map((line) => line.slice(1))).toEqual([
      'a',
      '1 @root 06:00 x',
      '|b',
      '2',
      '3',
      '4',
      '5',
    ]);
  });

  it('shows files, deleted messages and where a text was cut', async () => {
    const threadId = await f.createThread(ada, room, { body: 'With a file.' });
    const { page: before } = await read(threadId);
    const file = await f.attachFile(ada, before.messages[0].id, {
      name: 'a name.txt',
      bytes: 'A file.',
    });
    const gone = await f.postMessage(bob, threadId, 'Taken back.');
    await f.ok('DELETE', `/api/v1/messages/${gone.id}`, { key: bob.key });
    await f.postMessage(bob, threadId, 'x'.repeat(40_000));
    const { lines } = await read(threadId);
    expect(lines.slice(3)).toEqual([
      '|With a file.',
      `file ${file.id} ${file.mediaType} 7 bytes "a name.txt"`,
      `sha256 ${file.sha256}`,
      expect.stringMatching(/^1 @bob .*, deleted by author$/),
    ]);
    const rest = await callTool(app.url, 'read_messages', { threadId, offset: 2 });
    expect(rest.content[0].text).toMatch(/^2 @bob \S+ \S+, cut before \d+ of 40000$/m);
  });

  it('is JSON where that is shorter', async () => {
    const threadId = await f.createThread(ada, room, { body: '\u2028'.repeat(5_000) });
    const { lines } = await read(threadId);
    expect(JSON.parse(lines.join('\n')).threadId).toBe(threadId);
  });
});
