import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { getThreadMarkdown } from '../../../src/features/messages/get-thread-markdown.ts';
import { openContent } from '../../../src/kernel/pipeline/open-content.ts';
import { createFixture } from '../../operations/fixture.ts';
import { startApp } from '../../support/app.ts';
import { call, factories, type Json } from '../../support/factories.ts';
import { insertMessages, openSlowly } from '../export/read-export.ts';

const app = await startApp();
const f = factories(app);
const fixture = await createFixture(f);
const { owner, member, outsider, removed, blocked } = fixture;

const getMarkdown = (id: string, key?: string, headers: Record<string, string> = {}) =>
  call(app.url, 'GET', `/threads/${id}.md`, { key, headers });

/** Extracts bodies by the rule of the document: blocks of lines that begin with four spaces. */
const listBodies = (text: string): string[] =>
  text
    .split(/\n(?! {4})/)
    .filter((block) => block.includes('\n    '))
    .map((block) =>
      block.slice(block.indexOf('\n') + 5).replace(/(\r\n|[^\P{Cc}\t]|[\u2028\u2029]) {4}/gu, '$1'),
    );

describe('getThreadMarkdown', () => {
  it("[markdown.whole] has the thread's data and each message with its data", async () => {
    const id = await f.createThread(owner, fixture.publicRoom, {
      title: 'Which *one*?',
      tags: ['a-tag'],
      body: '# First\n\n<b>!</b>',
    });
    const second = await f.postMessage(member, id, 'Second\r\n');
    const third = await f.postMessage(owner, id, 'Third', { replyToId: second.id });
    const gone = await f.postMessage(owner, id, 'unsayable');
    const file = await f.attachFile(owner, third.id, { name: 'a_b.txt', bytes: 'x' });
    await f.ok('PUT', `/api/v1/threads/${id}/summary`, {
      key: owner.key,
      body: { summary: 'The second.', messageIds: [second.id] },
    });
    await f.ok('DELETE', `/api/v1/admin/messages/${gone.id}`, { admin: true });

    const { status, headers, text } = await getMarkdown(id);
    expect({ status, contentType: headers.get('content-type') }).toEqual({
      status: 200,
      contentType: 'text/markdown; charset=utf-8',
    });
    expect(headers.get('x-content-trust')).toBe('untrusted');
    expect(listBodies(text)).toEqual([
      'Which *one*?',
      'A room',
      'a-tag',
      'The second.',
      '# First\n\n<b>!</b>',
      'Second\r\n',
      'Third',
      'a_b.txt',
    ]);
    expect(text).toMatch(new RegExp(`^# Thread ${id}\n\n`));
    expect(text).toContain(`In room \`${fixture.publicRoom}\`:\n\n    A room\n`);
    expect(text).toContain(
      `## Outcome\n\n@${owner.handle} · 2026-03-01T12:00:00.000Z · from ` +
        `[\`${second.id}\`](#${second.id})\n`,
    );
    expect(text).toContain(
      `## <a id="m-1"></a>1 · @${member.handle} · 2026-03-01T12:00:00.000Z\n\n<a ` +
        `id="${second.id}"></a>Message \`${second.id}\`\n`,
    );
    expect(text).toContain(`Message \`${third.id}\` · answers [\`${second.id}\`](#${second.id})\n`);
    expect(text).toContain(
      `File <${file.url}> · ${file.mediaType} · 1 byte · SHA-256 \`${file.sha256}\`, called:\n`,
    );
    expect(text).toContain(`Message \`${gone.id}\`\n\n*deleted*\n`);
    expect(text).not.toContain('unsayable');
  });

  it('[markdown.whole] is complete for any length', async () => {
    const id = await f.createThread(owner, fixture.publicRoom, { body: '0 x' });
    await insertMessages(app, id, 1_000, 'x');
    const { text } = await getMarkdown(id);
    expect(
      [...text.matchAll(/^## <a id="m-(\d+)"><\/a>/gm)].map(([, position]) => Number(position)),
    ).toEqual(Array.from({ length: 1_001 }, (_, position) => position));
    expect(listBodies(text).slice(2)).toEqual([
      '0 x',
      ...Array.from({ length: 1_000 }, (_, n) => `${n} x`),
    ]);
  });

  it('[markdown.access] is for those who may read the thread', async () => {
    const { open, membersOnly, listed, hidden } = fixture.threads;
    const deleted = await f.createThread(owner, fixture.publicRoom);
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
      const outcome = async (id: string) => f.sendForOutcome('GET', `/threads/${id}.md`, { key });
      const outside = others.includes(who);
      expect({
        who,
        open: await outcome(open),
        membersOnly: await outcome(membersOnly),
        listed: await outcome(listed),
        hidden: await outcome(hidden),
        deleted: await outcome(deleted),
      }).toEqual(
        outside
          ? {
              who,
              open: '200',
              membersOnly: '404 not_found',
              listed: '403 forbidden',
              hidden: '404 not_found',
              deleted: '410 gone',
            }
          : {
              who,
              open: '200',
              membersOnly: '200',
              listed: '200',
              hidden: '200',
              deleted: '410 gone',
            },
      );
    }
    expect(await f.sendForOutcome('GET', '/threads/01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f.md')).toBe(
      '404 not_found',
    );
    expect(await f.sendForOutcome('GET', '/threads/nothing.md')).toBe('400 invalid_request');
  });

  it('[markdown.access] may be cached by others only if the thread is public', async () => {
    expect((await getMarkdown(fixture.threads.open)).headers.get('cache-control')).toBe(
      'public, no-cache',
    );
    expect(
      (await getMarkdown(fixture.threads.open, outsider.key)).headers.get('cache-control'),
    ).toBe('private, no-store');
    expect(
      (await getMarkdown(fixture.threads.hidden, member.key)).headers.get('cache-control'),
    ).toBe('private, no-store');
  });

  it('[markdown.access] breaks off when access ends or the thread is deleted', async () => {
    const ends = [
      (thread: string) => f.ok('DELETE', `/api/v1/admin/threads/${thread}`, { admin: true }),
      (_: string, room: string, { id }: Json) =>
        f.ok('DELETE', `/api/v1/rooms/${room}/members/${id}`, { key: owner.key }),
      (_t: string, _r: string, { id }: Json) =>
        f.ok('PUT', `/api/v1/admin/agents/${id}/block`, { admin: true, body: { blocked: true } }),
    ];
    for (const end of ends) {
      const room = await f.createRoom(owner, 'private');
      const reader = await f.createAgent();
      await f.addMember(owner, room, reader);
      const id = await f.createThread(owner, room);
      await insertMessages(app, id, 30_000, 'x'.repeat(1_000));
      const slow = await openSlowly(app, reader.key, `/threads/${id}.md`);
      await end(id, room, reader);
      const { text, broken } = await slow.readRest();
      expect(broken).toBe(true);
      expect(text.length).toBeLessThan(20_000_000);
    }
  });

  it('[markdown.access] breaks off if deleted before the first message is read', async () => {
    const id = await f.createThread(owner, await f.createRoom(owner, 'public'));
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

describe('the ETag of getThreadMarkdown', () => {
  it('[markdown.etag] stays while nothing changes and moves with any change', async () => {
    const id = await f.createThread(owner, fixture.publicRoom);
    const { id: first } = await f.postMessage(owner, id, 'One');
    const steps: (() => Promise<unknown>)[] = [
      () => f.postMessage(member, id, 'Two'),
      () =>
        f.ok('PUT', `/api/v1/threads/${id}/summary`, { key: owner.key, body: { summary: 'So' } }),
      () =>
        f.ok('PUT', `/api/v1/threads/${id}/summary`, {
          key: owner.key,
          body: { summary: 'Or so' },
        }),
      () => f.attachFile(owner, first),
      () => f.ok('DELETE', `/api/v1/admin/messages/${first}`, { admin: true }),
    ];
    const seen = new Set<string>();
    for (const step of [async () => {}, ...steps]) {
      await step();
      const answer = await getMarkdown(id);
      const etag = answer.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      expect(seen.has(etag)).toBe(false);
      for (const old of seen)
        expect((await getMarkdown(id, undefined, { 'if-none-match': old })).status).toBe(200);
      seen.add(etag);
      for (const key of [undefined, member.key, outsider.key]) {
        const again = await getMarkdown(id, key, { 'if-none-match': `"x", ${etag}` });
        expect({
          status: again.status,
          text: again.text,
          etag: again.headers.get('etag'),
        }).toEqual({ status: 304, text: '', etag });
      }
      expect((await getMarkdown(id)).text).toBe(answer.text);
    }
  });

  it('[markdown.etag] is computed without reading a message', async () => {
    const id = await f.createThread(owner, fixture.publicRoom);
    const etag = (await getMarkdown(id)).headers.get('etag') ?? '';
    // This lock keeps everyone from reading the table.
    await app.app.env.db.transaction(async (tx) => {
      await tx.run(sql`LOCK TABLE messages IN ACCESS EXCLUSIVE MODE`);
      expect((await getMarkdown(id, undefined, { 'if-none-match': etag })).status).toBe(304);
      expect((await call(app.url, 'HEAD', `/threads/${id}.md`)).headers.get('etag')).toBe(etag);
    });
  });
});
