import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Queryable } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql.ts';
import { listEvents } from '../../../src/features/receipts/store.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { factories, type Loose, refused, type TestAgent, together, until } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const { db } = app.app.env;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const nowhere = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

const ada = await f.agent('ada');
const room = await f.room(ada);
const started = await f.ok('POST', `/api/v1/rooms/${room}/threads`, {
  key: ada.key,
  body: { title: 'Which parser?', body: 'First.' },
});
const read = (id: string, key?: string, url = app.url): Promise<Loose> =>
  factories({ url }).ok('GET', `/e/${id}.json`, { key });
const deletion = (of: 'messages' | 'threads', id: string) =>
  f.ok('DELETE', `/api/v1/admin/${of}/${id}`, { admin: true });

/** Where a node listens, whatever address it gives to others. */
/** Addresses by which nodes of this file signed. */
const issuers: string[] = [];
const portOf = ({ app: { http } }: TestApp) =>
  `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;

/** A key of this agent that may read private receipts. */
async function trusted(agent: TestAgent): Promise<string> {
  await f.grant(agent, 'credentials');
  return (await f.scopedKey(agent, ['forum', 'credentials'])).apiKey;
}

describe('a receipt', () => {
  it('[receipt.kinds] [receipt.view] [receipt.payload] [receipt.summary] is there of every durable act', async () => {
    const posted = await f.post(ada, started.id, 'A text that nobody finds in a receipt.');
    const file = await f.attach(ada, posted.id, { name: 'notes.txt', bytes: 'Some notes.' });
    const { receipt_id: attached } = (await db.first<{ receipt_id: string }>(
      sql`SELECT receipt_id FROM files WHERE id = ${file.id}`,
    )) as Loose;
    await deletion('messages', (await f.post(ada, started.id, 'To go.')).id);
    const rows = await db.rows<{ id: string; kind: string }>(
      sql`SELECT id, kind FROM portable_events WHERE kind = 'message.deleted'`,
    );

    const expected: [id: string, kind: string, type: string, content: string, summary: string][] = [
      [
        started.receiptId,
        'thread.created',
        'thread',
        'First.',
        '@ada started the thread "Which parser?"',
      ],
      [
        posted.receiptId,
        'message.posted',
        'message',
        'A text that nobody finds in a receipt.',
        '@ada posted message 1 in "Which parser?"',
      ],
      [
        attached,
        'file.attached',
        'file',
        'Some notes.',
        '@ada attached "notes.txt" to message 1 in "Which parser?"',
      ],
      [
        rows[0]?.id ?? '',
        'message.deleted',
        'message',
        'To go.',
        'An administrator deleted message 2 in "Which parser?"',
      ],
    ];
    for (const [id, kind, type, content, summary] of expected) {
      const view = await read(id);
      const actor = kind === 'message.deleted' ? null : { id: ada.id, handle: 'ada' };
      expect(Object.keys(view)).toEqual([
        'id',
        'kind',
        'visibility',
        'occurredAt',
        'actor',
        'subject',
        'summary',
        'receipt',
        'log',
        'current',
        'links',
      ]);
      expect(view).toMatchObject({
        id,
        kind,
        visibility: 'public',
        actor,
        summary,
        subject: { type, url: expect.stringContaining(`${app.url}/api/v1/`) },
      });
      if (view.current.state === 'current')
        expect((await fetch(view.subject.url)).status).toBe(200);
      const { occurredAt } = view;
      if (kind !== 'thread.created') {
        const { subject } = view;
        const contentSha256 = sha256(content);
        expect(view.receipt.payload).toEqual({
          v: 1,
          iss: app.url,
          realm: 'test',
          id,
          kind,
          occurredAt,
          actor,
          subject: { type, id: subject.id },
          contentSha256,
        });
      }
      expect(JSON.stringify(view)).not.toContain(content);
    }
  });

  it('[receipt.jws] is a JWS over exactly the canonical bytes, which the key set verifies', async () => {
    const { receipt } = await read(started.receiptId);
    const keys = await f.ok('GET', '/.well-known/stoa-jwks.json');
    const { payload, protectedHeader } = await compactVerify(receipt.jws, createLocalJWKSet(keys), {
      algorithms: ['ES256'],
    });
    expect(Buffer.from(payload).toString()).toBe(receipt.canonical);
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: receipt.kid, typ: 'stoa-receipt+jws' });
    expect(receipt.sha256).toBe(sha256(receipt.canonical));
    expect(JSON.parse(receipt.canonical)).toEqual(receipt.payload);
  });

  it('[receipt.once] [receipt.later] is signed once, when it is first read, whichever nodes read it at once', async () => {
    const nodes = [app, await app.another()];
    issuers.push(...nodes.map(({ url }) => url));
    const ids: string[] = [];
    for (let post = 0; post < 10; post++)
      ids.push((await f.post(ada, started.id, `Post ${post}`)).receiptId);
    const signatures = async () =>
      (await db.rows(sql`SELECT 1 FROM portable_signatures WHERE event_id = ANY(${ids}::uuid[])`))
        .length;
    expect(await signatures()).toBe(0);
    for (const id of ids) {
      const answers = await together(8, (index) => read(id, undefined, nodes[index % 2]?.url));
      expect(new Set(answers.map(({ receipt }) => receipt.jws)).size).toBe(1);
    }
    expect(await signatures()).toBe(10);
  });

  it('[receipt.immutable] is the same bytes tomorrow, elsewhere, under another address, and after what it is about was deleted', async () => {
    const { id, receiptId } = await f.post(ada, started.id, 'For ever');
    const unread = await f.post(ada, started.id, 'Nobody asked for its receipt yet');
    const first = await read(receiptId);
    app.clock.advance(24 * 3_600_000);
    const moved = portOf(await app.another({ BASE_URL: 'https://moved.example.org' }));
    await deletion('messages', id);
    for (const url of [app.url, moved])
      expect((await read(receiptId, undefined, url)).receipt).toEqual(first.receipt);
    expect((await read(unread.receiptId, undefined, moved)).receipt.payload).toMatchObject({
      iss: app.url,
      realm: 'test',
    });
    expect((await read(unread.receiptId, undefined, moved)).links.self).toBe(
      `https://moved.example.org/e/${unread.receiptId}.json`,
    );
  });

  it('[receipt.older] of an act from before belongs to the installation that reads it first, for ever', async () => {
    const { receiptId } = await f.post(ada, started.id, 'Long ago');
    await db.run(
      sql`UPDATE portable_events SET issuer = NULL, realm = NULL WHERE id = ${receiptId}`,
    );
    const nodes = [app.url, portOf(await app.another({ BASE_URL: 'https://later.example.org' }))];
    const answers = await together(6, (index) => read(receiptId, undefined, nodes[index % 2]));
    expect(new Set(answers.map(({ receipt }) => receipt.jws)).size).toBe(1);
    // Whoever was first: also a node that gave it its place in the log.
    expect([...issuers, 'https://moved.example.org', 'https://later.example.org']).toContain(
      answers[0].receipt.payload.iss,
    );
    expect(answers[0].receipt.payload.realm).toBe('test');
  });

  it('[receipt.older] keeps the installation of the first of two that read it at the same moment', async () => {
    const { receiptId } = await f.post(ada, started.id, 'Long ago too');
    await until('it has its place', async () => (await read(receiptId)).log !== null);
    await db.run(
      sql`UPDATE portable_events SET issuer = NULL, realm = NULL WHERE id = ${receiptId}`,
    );
    const readAt = (from: Queryable, baseUrl: string) =>
      listEvents(from, [receiptId], { baseUrl, realm: 'test' });
    const waiting = async () =>
      (await db.first(
        sql`SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'`,
      )) !== undefined;
    const { second } = await db.transaction(async (tx) => {
      await readAt(tx, 'https://first.example.org');
      const second = readAt(db, 'https://second.example.org');
      await until('the second waits for the first', waiting);
      return { second };
    });
    expect((await second).map(({ issuer }) => issuer)).toEqual(['https://first.example.org']);
  });

  it('[receipt.addresses] [receipt.manifest] is the same at both addresses, which the manifest names', async () => {
    const [document, resource] = await Promise.all(
      [`/e/${started.receiptId}.json`, `/api/v1/portable-events/${started.receiptId}`].map(
        async (path) => (await f.send('GET', path)).text,
      ),
    );
    expect(document).toBe(resource);
    const { receipts, links } = await f.ok('GET', '/.well-known/stoa.json');
    expect(receipts).toMatchObject({
      enabled: true,
      alg: 'ES256',
      typ: 'stoa-receipt+jws',
      url: `${app.url}/e/{id}.json`,
      stream: `${app.url}/api/v1/me/events`,
    });
    expect([links.jwks, links.log]).toEqual([
      `${app.url}/.well-known/stoa-jwks.json`,
      `${app.url}/log`,
    ]);
    for (const id of ['nothing', nowhere.slice(1), `${nowhere}.json`])
      expect(await f.outcome('GET', `/e/${id}.json`), id).toBe('400 invalid_request');
    expect(await f.outcome('GET', `/e/${nowhere}.json`)).toBe('404 not_found');
    expect((await f.send('GET', `/e/${started.receiptId.toUpperCase()}.json`)).text).toBe(document);
  });
});

describe('what became of it', () => {
  it('[receipt.current] is looked up with each read, and nothing of what was deleted is shown', async () => {
    const thread = await f.ok('POST', `/api/v1/rooms/${room}/threads`, {
      key: ada.key,
      body: { title: 'A title to forget', body: 'B' },
    });
    const posted = await f.post(ada, thread.id, 'Message');
    await f.attach(ada, posted.id, { name: 'a-name-to-forget.txt', bytes: 'x' });
    const other = await f.post(ada, thread.id, 'Other');
    const ids = (
      await db.rows<{ id: string; kind: string }>(
        sql`SELECT id, kind FROM portable_events ORDER BY id DESC LIMIT 5`,
      )
    )
      .map(({ id }) => id)
      .reverse();
    const states = async () =>
      (await Promise.all(ids.map((id) => read(id)))).map(({ current }) => current.state);
    // A thread is started with its first message.
    expect(ids).toEqual([thread.receiptId, ids[1], posted.receiptId, ids[3], other.receiptId]);
    expect(await states()).toEqual(['current', 'current', 'current', 'current', 'current']);

    await deletion('messages', posted.id);
    expect(await states()).toEqual(['current', 'current', 'deleted', 'deleted', 'current']);
    const file = await read(ids[3] as string);
    expect(file.summary).toBe('@ada attached a file to message 1 in "A title to forget"');
    expect(file.current).toEqual({
      state: 'deleted',
      supersededBy: null,
      checkedAt: new Date(app.clock()).toISOString(),
    });

    await deletion('threads', thread.id);
    expect(await states()).toEqual(Array(5).fill('deleted'));
    for (const id of ids)
      for (const path of [`/e/${id}`, `/e/${id}.json`])
        expect((await f.send('GET', path)).text).not.toMatch(/to forget|to-forget/);
    expect((await read(other.receiptId)).summary).toBe(
      '@ada posted message 2 in a thread that was deleted',
    );
  });

  it('[receipt.etag] moves the ETag, the time of looking does not', async () => {
    const { id, receiptId } = await f.post(ada, started.id, 'Tagged');
    await app.app.jobs.runDue();
    const tags = async () =>
      Promise.all(
        [`/e/${receiptId}`, `/e/${receiptId}.json`, `/api/v1/portable-events/${receiptId}`].map(
          async (path) => {
            const { headers } = await f.send('GET', path);
            expect(headers.get('cache-control')).toBe('public, no-cache');
            return [path, headers.get('etag') ?? ''] as const;
          },
        ),
      );
    const before = await tags();
    app.clock.advance(60_000);
    expect(await tags()).toEqual(before);
    for (const [path, etag] of before) {
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      const again = await f.send('GET', path, { headers: { 'if-none-match': etag } });
      expect([again.status, again.text]).toEqual([304, '']);
    }
    await deletion('messages', id);
    for (const [path, etag] of await tags()) {
      expect(before.map(([, old]) => old)).not.toContain(etag);
      expect(
        (await f.send('GET', path, { headers: { 'if-none-match': before[0]?.[1] ?? '' } })).status,
      ).toBe(200);
    }
  });
});

describe('a private receipt', () => {
  it('[receipt.private] [receipt.scope] [receipt.summary] is for who may read what it is about now, with a key that has the scope', async () => {
    const [owner, member, stranger] = await Promise.all([f.agent(), f.agent(), f.agent()]);
    const secret = await f.room(owner, 'private');
    await f.invite(owner, secret, member);
    const thread = await f.thread(owner, secret, { title: 'A secret title', visibility: 'public' });
    const { receiptId } = await f.post(member, thread, 'Secret');
    const [ofOwner, ofMember, ofStranger] = await Promise.all([
      trusted(owner),
      trusted(member),
      trusted(stranger),
    ]);
    const paths = [
      `/e/${receiptId}`,
      `/e/${receiptId}.json`,
      `/api/v1/portable-events/${receiptId}`,
    ];

    for (const path of paths) {
      for (const key of [ofOwner, ofMember]) {
        const answer = await f.send('GET', path, { key });
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([
          200,
          'private, no-store',
        ]);
        expect(answer.text).toContain('A secret title');
      }
      const json = { accept: 'application/problem+json' };
      expect(await f.send('GET', path, { key: member.key, headers: json })).toMatchObject(
        refused(403, 'insufficient_scope', { requiredScope: 'credentials' }),
      );
      const absent = await f.send('GET', path.replace(receiptId, nowhere), {
        key: ofStranger,
        headers: json,
      });
      for (const key of [undefined, stranger.key, ofStranger]) {
        const { status, body } = await f.send('GET', path, { key, headers: json });
        expect([status, { ...body, requestId: '' }]).toEqual([
          404,
          { ...absent.body, requestId: '' },
        ]);
      }
      expect((await f.send('GET', path, { admin: true })).status).toBe(404);
    }
    await f.grant(owner, 'credentials', 'revoked');
    expect(await f.outcome('GET', paths[2] as string, { key: ofOwner })).toBe(
      '403 capability_revoked',
    );
    const block = (blocked: boolean) =>
      f.ok('PUT', `/api/v1/admin/agents/${member.id}/block`, { admin: true, body: { blocked } });
    await block(true);
    // A public read of a blocked agent is one of nobody.
    expect(await f.outcome('GET', paths[2] as string, { key: ofMember })).toBe('404 not_found');
    expect(await f.outcome('GET', '/api/v1/me/events', { key: ofMember })).toBe(
      '403 agent_blocked',
    );
    await block(false);
    expect(await f.outcome('GET', paths[2] as string, { key: ofMember })).toBe('200');

    await f.ok('DELETE', `/api/v1/rooms/${secret}/members/${member.id}`, { key: owner.key });
    expect(await f.outcome('GET', paths[2] as string, { key: ofMember })).toBe('404 not_found');
  });

  it('[receipt.current] [receipt.private] of a deleted thread still says so to members, and to nobody else', async () => {
    const owner = await f.agent();
    const secret = await f.room(owner, 'private');
    const thread = await f.thread(owner, secret);
    const { receiptId } = await f.post(owner, thread, 'Secret');
    const key = await trusted(owner);
    await deletion('threads', thread);
    expect((await read(receiptId, key)).current.state).toBe('deleted');
    expect(await f.outcome('GET', `/e/${receiptId}.json`)).toBe('404 not_found');
  });
});

describe('the page of a receipt', () => {
  it('[receipt.page] shows what agents wrote as text, runs nothing, and says all of it in plain text', async () => {
    const title = `<script>alert(1)</script> & "quotes" '`;
    const thread = await f.ok('POST', `/api/v1/rooms/${room}/threads`, {
      key: ada.key,
      body: { title, body: 'B' },
    });
    await app.app.jobs.runDue();
    const { text, headers } = await f.send('GET', `/e/${thread.receiptId}`, {
      headers: { accept: 'text/html' },
    });
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    expect(text).not.toMatch(/<script|<img|<iframe|javascript:|\son\w+=/i);
    const plain = text
      .replace(/<style>[\s\S]*<\/style>|<[^>]+>/g, ' ')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    const { receipt, log } = await read(thread.receiptId);
    const facts = [
      `@ada started the thread "${title}"`,
      receipt.canonical,
      receipt.jws,
      receipt.kid,
      receipt.sha256,
      `Leaf ${log.index} `,
      log.root,
    ];
    for (const fact of [
      ...facts,
      'It stands as it was.',
      `stoa verify-receipt ${app.url}/e/${thread.receiptId}.json`,
      'python3 reproduce.py receipt',
    ])
      expect(plain).toContain(fact);
    const missing = await f.send('GET', `/e/${nowhere}`, { headers: { accept: 'text/html' } });
    expect([missing.status, missing.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
  });

  it('[receipt.private] [receipt.later] leaves nothing behind when there is nothing to show', async () => {
    const secret = await f.thread(ada, await f.room(ada, 'private'));
    const { receiptId } = await f.post(ada, secret, 'Secret');
    const signatures = () =>
      db.rows(sql`SELECT event_id FROM portable_signatures ORDER BY event_id`);
    const before = await signatures();
    for (const id of [nowhere, receiptId])
      for (const path of [`/e/${id}`, `/e/${id}.json`, `/api/v1/portable-events/${id}`])
        expect((await f.send('GET', path)).status).toBe(404);
    expect(await signatures()).toEqual(before);
  });
});

it('[receipt.jws] names its key as the key set does', async () => {
  const { receipt } = await read(started.receiptId);
  expect(decodeProtectedHeader(receipt.jws).kid).toBe(receipt.kid);
});
