import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { getThreadMarkdown } from '../../../src/features/threads/get-thread-markdown.ts';
import { openContent } from '../../../src/kernel/pipeline/open-content.ts';
import { startApp } from '../../support/app.ts';
import { fill, openSlowly } from '../export/read-export.ts';
import { call, factories, type Loose } from '../../support/factories.ts';
import { createWorld } from '../../operations/fixture.ts';

const app = await startApp();
const f = factories(app);
const world = await createWorld(f);
const { owner, member, outsider, removed, blocked } = world;

const markdownOf = (id: string, key?: string, headers: Record<string, string> = {}) =>
  call(app.url, 'GET', `/threads/${id}.md`, { key, headers });

/** Bodies as the document's own rule says: blocks of lines that begin with four spaces. */
const bodiesOf = (text: string): string[] =>
  text
    .split(/\n(?! {4})/)
    .filter((block) => block.includes('\n    '))
    .map((block) =>
      block.slice(block.indexOf('\n') + 5).replace(/(\r\n|[^\P{Cc}\t]|[\u2028\u2029]) {4}/gu, '$1'),
    );

describe('a thread as Markdown', () => {
  it('[markdown.whole] has title, room, tags, summary, and each message with author, time, answer and files', async () => {
    const id = await f.thread(owner, world.publicRoom, {
      title: 'Which *one*?',
      tags: ['a-tag'],
      body: '# First\n\n<b>!</b>',
    });
    const second = await f.post(member, id, 'Second\r\n');
    const third = await f.post(owner, id, 'Third', { replyToId: second.id });
    const gone = await f.post(owner, id, 'unsayable');
    const file = await f.attach(owner, third.id, { name: 'a_b.txt', bytes: 'x' });
    await f.ok('PUT', `/api/v1/threads/${id}/summary`, {
      key: owner.key,
      body: { summary: 'The second.', messageIds: [second.id] },
    });
    await f.ok('DELETE', `/api/v1/admin/messages/${gone.id}`, { admin: true });

    const { status, headers, text } = await markdownOf(id);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(headers.get('x-content-trust')).toBe('untrusted');
    expect(bodiesOf(text)).toEqual(['The second.', '# First\n\n<b>!</b>', 'Second\r\n', 'Third']);
    expect(text).toMatch(/^# Which \\\*one\\\*\?\n\n/);
    expect(text).toContain(`Room \`${world.publicRoom}\` · A room\n\nTags: \`a-tag\`\n`);
    expect(text).toContain(
      `## Outcome\n\n@${owner.handle} · 2026-03-01T12:00:00.000Z · from [\`${second.id}\`](#${second.id})\n`,
    );
    expect(text).toContain(
      `## <a id="m-1"></a>1 · @${member.handle} · 2026-03-01T12:00:00.000Z\n\n<a id="${second.id}"></a>Message \`${second.id}\`\n`,
    );
    expect(text).toContain(`Message \`${third.id}\` · answers [\`${second.id}\`](#${second.id})\n`);
    expect(text).toContain(
      `File [a\\_b.txt](<${file.url}>) · ${file.mediaType} · 1 byte · SHA-256 \`${file.sha256}\`\n`,
    );
    expect(text).toContain(`Message \`${gone.id}\`\n\n*deleted*\n`);
    expect(text).not.toContain('unsayable');
  });

  it('[markdown.whole] is whole however long it is', async () => {
    const id = await f.thread(owner, world.publicRoom, { body: '0 x' });
    await fill(app, id, 1_000, 'x');
    const { text } = await markdownOf(id);
    expect(
      [...text.matchAll(/^## <a id="m-(\d+)"><\/a>/gm)].map(([, position]) => Number(position)),
    ).toEqual(Array.from({ length: 1_001 }, (_, position) => position));
    expect(bodiesOf(text)).toEqual(['0 x', ...Array.from({ length: 1_000 }, (_, n) => `${n} x`)]);
  });

  it('[markdown.access] is for those who may read the thread', async () => {
    const { open, membersOnly, listed, hidden } = world.threads;
    const deleted = await f.thread(owner, world.publicRoom);
    await f.ok('DELETE', `/api/v1/admin/threads/${deleted}`, { admin: true });
    const callers = {
      anyone: undefined,
      outsider: outsider.key,
      removed: removed.key,
      blocked: blocked.key,
      member: member.key,
      owner: owner.key,
    };
    const others = ['anyone', 'outsider', 'removed', 'blocked'];
    for (const [who, key] of Object.entries(callers)) {
      const outcome = async (id: string) => f.outcome('GET', `/threads/${id}.md`, { key });
      const outside = others.includes(who);
      expect([
        who,
        await outcome(open),
        await outcome(membersOnly),
        await outcome(listed),
        await outcome(hidden),
        await outcome(deleted),
      ]).toEqual(
        outside
          ? [who, '200', '404 not_found', '403 forbidden', '404 not_found', '410 gone']
          : [who, '200', '200', '200', '200', '410 gone'],
      );
    }
    expect(await f.outcome('GET', '/threads/01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f.md')).toBe(
      '404 not_found',
    );
    expect(await f.outcome('GET', '/threads/nothing.md')).toBe('400 invalid_request');
  });

  it('[markdown.access] of which only the public may be kept by others', async () => {
    expect((await markdownOf(world.threads.open)).headers.get('cache-control')).toBe(
      'public, no-cache',
    );
    expect((await markdownOf(world.threads.open, outsider.key)).headers.get('cache-control')).toBe(
      'private, no-store',
    );
    expect((await markdownOf(world.threads.hidden, member.key)).headers.get('cache-control')).toBe(
      'private, no-store',
    );
  });

  it('[markdown.access] breaks off when its reader may read no more, and when the thread is deleted', async () => {
    const ends = [
      (thread: string) => f.ok('DELETE', `/api/v1/admin/threads/${thread}`, { admin: true }),
      (_: string, room: string, { id }: Loose) =>
        f.ok('DELETE', `/api/v1/rooms/${room}/members/${id}`, { key: owner.key }),
      (_t: string, _r: string, { id }: Loose) =>
        f.ok('PUT', `/api/v1/admin/agents/${id}/block`, { admin: true, body: { blocked: true } }),
    ];
    for (const end of ends) {
      const [room, reader] = [await f.room(owner, 'private'), await f.agent()];
      await f.invite(owner, room, reader);
      const id = await f.thread(owner, room);
      await fill(app, id, 30_000, 'x'.repeat(1_000));
      const slow = await openSlowly(app, reader.key, `/threads/${id}.md`);
      await end(id, room, reader);
      const { text, broken } = await slow.rest();
      expect(broken).toBe(true);
      expect(text.length).toBeLessThan(20_000_000);
    }
  });

  it('[markdown.access] breaks off when the thread is deleted before its first message is read', async () => {
    const id = await f.thread(owner, await f.room(owner, 'public'));
    const { content } = await openContent(app.app.env, getThreadMarkdown as never, {
      credentials: {},
      address: '127.0.0.1',
      idempotencyKey: undefined,
      params: { id },
      query: {},
      body: undefined,
    });
    await f.ok('DELETE', `/api/v1/admin/threads/${id}`, { admin: true });
    const pieces = content.open()[Symbol.asyncIterator]();
    expect(String((await pieces.next()).value)).toContain(id);
    await expect(pieces.next()).rejects.toMatchObject({ code: 'gone' });
  });
});

describe('its ETag', () => {
  it('[markdown.etag] stays while nothing changes, whoever asks, and moves with whatever does', async () => {
    const id = await f.thread(owner, world.publicRoom);
    const { id: first } = await f.post(owner, id, 'One');
    const steps: (() => Promise<unknown>)[] = [
      () => f.post(member, id, 'Two'),
      () =>
        f.ok('PUT', `/api/v1/threads/${id}/summary`, { key: owner.key, body: { summary: 'So' } }),
      () =>
        f.ok('PUT', `/api/v1/threads/${id}/summary`, {
          key: owner.key,
          body: { summary: 'Or so' },
        }),
      () => f.attach(owner, first),
      () => f.ok('DELETE', `/api/v1/admin/messages/${first}`, { admin: true }),
    ];
    const seen = new Set<string>();
    for (const step of [async () => {}, ...steps]) {
      await step();
      const answer = await markdownOf(id);
      const etag = answer.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      expect(seen.has(etag)).toBe(false);
      for (const old of seen)
        expect((await markdownOf(id, undefined, { 'if-none-match': old })).status).toBe(200);
      seen.add(etag);
      for (const key of [undefined, member.key, outsider.key]) {
        const again = await markdownOf(id, key, { 'if-none-match': `"x", ${etag}` });
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
      }
      expect((await markdownOf(id)).text).toBe(answer.text);
    }
  });

  it('[markdown.etag] is made without reading a message', async () => {
    const id = await f.thread(owner, world.publicRoom);
    const etag = (await markdownOf(id)).headers.get('etag') ?? '';
    // Whoever holds the table lets nobody read it.
    await app.app.env.db.transaction(async (tx) => {
      await tx.run(sql`LOCK TABLE messages IN ACCESS EXCLUSIVE MODE`);
      expect((await markdownOf(id, undefined, { 'if-none-match': etag })).status).toBe(304);
      expect((await call(app.url, 'HEAD', `/threads/${id}.md`)).headers.get('etag')).toBe(etag);
    });
  });
});
