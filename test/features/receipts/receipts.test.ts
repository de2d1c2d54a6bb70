import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Queryable } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql.ts';
import { listReceipts } from '../../../src/features/receipts/store.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import {
  buildProblem,
  factories,
  type Json,
  runConcurrently,
  type TestAgent,
  waitUntil,
} from '../../support/factories.ts';

const app = await startApp({ INTERACTIONS_ENABLED: 'on' });
const f = factories(app);
const { db } = app.app.env;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const nowhere = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';

const ada = await f.createAgent('ada');
const room = await f.createRoom(ada);
const started = await f.ok('POST', `/api/v1/rooms/${room}/threads`, {
  key: ada.key,
  body: { title: 'Which parser?', body: 'First.' },
});
const read = (id: string, key?: string, url = app.url): Promise<Json> =>
  factories({ url }).ok('GET', `/e/${id}.json`, { key });
const deleteAsAdmin = (of: 'messages' | 'threads', id: string) =>
  f.ok('DELETE', `/api/v1/admin/${of}/${id}`, { admin: true });

/** The addresses at which nodes listen, whatever address they publish. */
/** The addresses by which nodes of this file signed. */
const issuers: string[] = [];
const getUrl = ({ app: { http } }: TestApp) =>
  `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;

/** Creates a key of this agent that may read private receipts. */
async function recordTrust(agent: TestAgent): Promise<string> {
  await f.grantCapability(agent, 'credentials');
  return (await f.createScopedKey(agent, ['forum', 'credentials'])).apiKey;
}

describe('getReceipt', () => {
  it(
    '[receipt.kinds] [receipt.view] [receipt.payload] [receipt.summary] ' +
      'returns a receipt of every durable act',
    async () => {
      const posted = await f.postMessage(ada, started.id, 'A text that nobody finds in a receipt.');
      const file = await f.attachFile(ada, posted.id, { name: 'notes.txt', bytes: 'Some notes.' });
      const { receipt_id: attached } = (await db.first<{ receipt_id: string }>(
        sql`SELECT receipt_id FROM files WHERE id = ${file.id}`,
      )) as Json;
      await deleteAsAdmin('messages', (await f.postMessage(ada, started.id, 'To go.')).id);
      const rows = await db.rows<{ id: string; kind: string }>(sql`
      SELECT id, kind
      FROM portable_events
      WHERE kind = 'message.deleted'
    `);

      const expected: [id: string, kind: string, type: string, content: string, summary: string][] =
        [
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
    },
  );

  it('[receipt.jws] returns a JWS over the canonical bytes', async () => {
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

  it('[receipt.once] [receipt.later] signs once, at the first read on any node', async () => {
    const nodes = [app, await app.startNode()];
    issuers.push(...nodes.map(({ url }) => url));
    const ids: string[] = [];
    for (let post = 0; post < 10; post++)
      ids.push((await f.postMessage(ada, started.id, `Post ${post}`)).receiptId);
    const listSignatures = async () =>
      (
        await db.rows(sql`
        SELECT 1
        FROM portable_signatures
        WHERE event_id = ANY(${ids}::uuid[])
      `)
      ).length;
    expect(await listSignatures()).toBe(0);
    for (const id of ids) {
      const answers = await runConcurrently(8, (index) =>
        read(id, undefined, nodes[index % 2]?.url),
      );
      expect(new Set(answers.map(({ receipt }) => receipt.jws)).size).toBe(1);
    }
    expect(await listSignatures()).toBe(10);
  });

  it('[receipt.immutable] returns the same bytes for ever, whatever happened since', async () => {
    const { id, receiptId } = await f.postMessage(ada, started.id, 'For ever');
    const unread = await f.postMessage(ada, started.id, 'Nobody asked for its receipt yet');
    const first = await read(receiptId);
    app.clock.advance(24 * 3_600_000);
    const moved = getUrl(await app.startNode({ BASE_URL: 'https://moved.example.org' }));
    await deleteAsAdmin('messages', id);
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

  it('[receipt.older] binds an older act to the installation that first reads it', async () => {
    const { receiptId } = await f.postMessage(ada, started.id, 'Long ago');
    await db.run(sql`
      UPDATE portable_events
      SET issuer = NULL, realm = NULL
      WHERE id = ${receiptId}
    `);
    const nodes = [app.url, getUrl(await app.startNode({ BASE_URL: 'https://later.example.org' }))];
    const answers = await runConcurrently(6, (index) =>
      read(receiptId, undefined, nodes[index % 2]),
    );
    expect(new Set(answers.map(({ receipt }) => receipt.jws)).size).toBe(1);
    // The first one decides, also a node that gave the act its place in the log.
    expect([...issuers, 'https://moved.example.org', 'https://later.example.org']).toContain(
      answers[0].receipt.payload.iss,
    );
    expect(answers[0].receipt.payload.realm).toBe('test');
  });

  it('[receipt.older] keeps the installation of the first of two racing readers', async () => {
    const { receiptId } = await f.postMessage(ada, started.id, 'Long ago too');
    await waitUntil('it has its place', async () => (await read(receiptId)).log !== null);
    await db.run(sql`
      UPDATE portable_events
      SET issuer = NULL, realm = NULL
      WHERE id = ${receiptId}
    `);
    const readReceiptAt = (from: Queryable, baseUrl: string) =>
      listReceipts(from, [receiptId], { baseUrl, realm: 'test' });
    const isWaiting = async () =>
      (await db.first(sql`
        SELECT 1
        FROM pg_locks
        WHERE NOT granted AND locktype = 'transactionid'
      `)) !== undefined;
    const { second } = await db.transaction(async (tx) => {
      await readReceiptAt(tx, 'https://first.example.org');
      const second = readReceiptAt(db, 'https://second.example.org');
      await waitUntil('the second waits for the first', isWaiting);
      return { second };
    });
    expect((await second).map(({ issuer }) => issuer)).toEqual(['https://first.example.org']);
  });

  it('[receipt.addresses] [receipt.manifest] is the same at both addresses', async () => {
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
    expect({ jwks: links.jwks, log: links.log }).toEqual({
      jwks: `${app.url}/.well-known/stoa-jwks.json`,
      log: `${app.url}/log`,
    });
    for (const id of ['nothing', nowhere.slice(1), `${nowhere}.json`])
      expect(await f.sendForOutcome('GET', `/e/${id}.json`), id).toBe('400 invalid_request');
    expect(await f.sendForOutcome('GET', `/e/${nowhere}.json`)).toBe('404 not_found');
    expect((await f.send('GET', `/e/${started.receiptId.toUpperCase()}.json`)).text).toBe(document);
  });
});

describe('the current state in getReceipt', () => {
  it('[receipt.current] is looked up at each read and shows nothing deleted', async () => {
    const thread = await f.ok('POST', `/api/v1/rooms/${room}/threads`, {
      key: ada.key,
      body: { title: 'A title to forget', body: 'B' },
    });
    const posted = await f.postMessage(ada, thread.id, 'Message');
    await f.attachFile(ada, posted.id, { name: 'a-name-to-forget.txt', bytes: 'x' });
    const other = await f.postMessage(ada, thread.id, 'Other');
    const ids = (
      await db.rows<{ id: string; kind: string }>(sql`
        SELECT id, kind
        FROM portable_events
        ORDER BY id DESC
        LIMIT 5
      `)
    )
      .map(({ id }) => id)
      .reverse();
    const listStates = async () =>
      (await Promise.all(ids.map((id) => read(id)))).map(({ current }) => current.state);
    // A thread starts with its first message.
    expect(ids).toEqual([thread.receiptId, ids[1], posted.receiptId, ids[3], other.receiptId]);
    expect(await listStates()).toEqual(['current', 'current', 'current', 'current', 'current']);

    await deleteAsAdmin('messages', posted.id);
    expect(await listStates()).toEqual(['current', 'current', 'deleted', 'deleted', 'current']);
    const file = await read(ids[3] as string);
    expect(file.summary).toBe('@ada attached a file to message 1 in "A title to forget"');
    expect(file.current).toEqual({
      state: 'deleted',
      supersededBy: null,
      checkedAt: new Date(app.clock()).toISOString(),
    });

    await deleteAsAdmin('threads', thread.id);
    expect(await listStates()).toEqual(Array(5).fill('deleted'));
    for (const id of ids)
      for (const path of [`/e/${id}`, `/e/${id}.json`])
        expect((await f.send('GET', path)).text).not.toMatch(/to forget|to-forget/);
    expect((await read(other.receiptId)).summary).toBe(
      '@ada posted message 2 in a thread that was deleted',
    );
  });

  it('[receipt.etag] changes the ETag, and the time of the lookup does not', async () => {
    const { id, receiptId } = await f.postMessage(ada, started.id, 'Tagged');
    await app.app.jobs.runDue();
    const listTags = async () =>
      Promise.all(
        [`/e/${receiptId}`, `/e/${receiptId}.json`, `/api/v1/portable-events/${receiptId}`].map(
          async (path) => {
            const { headers } = await f.send('GET', path);
            expect(headers.get('cache-control')).toBe('public, no-cache');
            return [path, headers.get('etag') ?? ''] as const;
          },
        ),
      );
    const before = await listTags();
    app.clock.advance(60_000);
    expect(await listTags()).toEqual(before);
    for (const [path, etag] of before) {
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      const again = await f.send('GET', path, { headers: { 'if-none-match': etag } });
      expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' });
    }
    await deleteAsAdmin('messages', id);
    for (const [path, etag] of await listTags()) {
      expect(before.map(([, old]) => old)).not.toContain(etag);
      expect(
        (await f.send('GET', path, { headers: { 'if-none-match': before[0]?.[1] ?? '' } })).status,
      ).toBe(200);
    }
  });
});

describe('getReceipt of a private receipt', () => {
  it('[receipt.private] [receipt.scope] [receipt.summary] needs access and the scope', async () => {
    const [owner, member, stranger] = await Promise.all([
      f.createAgent(),
      f.createAgent(),
      f.createAgent(),
    ]);
    const secret = await f.createRoom(owner, 'private');
    await f.addMember(owner, secret, member);
    const thread = await f.createThread(owner, secret, {
      title: 'A secret title',
      visibility: 'public',
    });
    const { receiptId } = await f.postMessage(member, thread, 'Secret');
    const [ofOwner, ofMember, ofStranger] = await Promise.all([
      recordTrust(owner),
      recordTrust(member),
      recordTrust(stranger),
    ]);
    const otherKey = await f.getKeyWithScope(member, 'interactions');
    const onlyCredentials = await f.getKeyWithScope(owner, 'credentials');
    const paths = [
      `/e/${receiptId}`,
      `/e/${receiptId}.json`,
      `/api/v1/portable-events/${receiptId}`,
    ];

    for (const path of paths) {
      for (const key of [ofOwner, ofMember]) {
        const answer = await f.send('GET', path, { key });
        expect({
          status: answer.status,
          cacheControl: answer.headers.get('cache-control'),
        }).toEqual({ status: 200, cacheControl: 'private, no-store' });
        expect(answer.text).toContain('A secret title');
      }
      const json = { accept: 'application/problem+json' };
      expect((await f.send('GET', path, { key: member.key })).status).toBe(200);
      expect(await f.send('GET', path, { key: otherKey, headers: json })).toMatchObject(
        buildProblem(403, 'insufficient_scope', { requiredScope: 'forum' }),
      );
      const absent = await f.send('GET', path.replace(receiptId, nowhere), {
        key: ofStranger,
        headers: json,
      });
      for (const key of [undefined, stranger.key, ofStranger]) {
        const { status, body } = await f.send('GET', path, { key, headers: json });
        expect({ status, body: { ...body, requestId: '' } }).toEqual({
          status: 404,
          body: { ...absent.body, requestId: '' },
        });
      }
      expect((await f.send('GET', path, { admin: true })).status).toBe(404);
    }
    await f.grantCapability(owner, 'credentials', 'revoked');
    expect(await f.sendForOutcome('GET', paths[2] as string, { key: onlyCredentials })).toBe(
      '403 capability_revoked',
    );
    expect(await f.sendForOutcome('GET', paths[2] as string, { key: ofOwner })).toBe('200');
    const block = (blocked: boolean) =>
      f.ok('PUT', `/api/v1/admin/agents/${member.id}/block`, { admin: true, body: { blocked } });
    await block(true);
    // A blocked agent reads in public as an anonymous caller.
    expect(await f.sendForOutcome('GET', paths[2] as string, { key: ofMember })).toBe(
      '404 not_found',
    );
    expect(await f.sendForOutcome('GET', '/api/v1/me/events', { key: ofMember })).toBe(
      '403 agent_blocked',
    );
    await block(false);
    expect(await f.sendForOutcome('GET', paths[2] as string, { key: ofMember })).toBe('200');

    await f.ok('DELETE', `/api/v1/rooms/${secret}/members/${member.id}`, { key: owner.key });
    expect(await f.sendForOutcome('GET', paths[2] as string, { key: ofMember })).toBe(
      '404 not_found',
    );
  });

  it('[receipt.current] [receipt.private] tells only members of a deletion', async () => {
    const owner = await f.createAgent();
    const secret = await f.createRoom(owner, 'private');
    const thread = await f.createThread(owner, secret);
    const { receiptId } = await f.postMessage(owner, thread, 'Secret');
    const key = await recordTrust(owner);
    await deleteAsAdmin('threads', thread);
    expect((await read(receiptId, key)).current.state).toBe('deleted');
    expect(await f.sendForOutcome('GET', `/e/${receiptId}.json`)).toBe('404 not_found');
  });
});

describe('showReceipt', () => {
  it('[receipt.page] renders inert text and also serves plain text', async () => {
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
    // Words of a command have marks around them, which nobody copies.
    const plain = text
      .replaceAll(/<\/?span>/g, '')
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
      `Entry ${log.index + 1} of the log`,
      log.root,
    ];
    for (const fact of [
      ...facts,
      'It has not changed since.',
      `stoa verify-receipt ${app.url}/e/${thread.receiptId}.json`,
      'python3 reproduce.py receipt',
    ])
      expect(plain).toContain(fact);
    const missing = await f.send('GET', `/e/${nowhere}`, { headers: { accept: 'text/html' } });
    expect({
      status: missing.status,
      contentType: missing.headers.get('content-type'),
    }).toEqual({ status: 404, contentType: 'text/html; charset=utf-8' });
  });

  it('[receipt.private] [receipt.later] writes nothing when it shows nothing', async () => {
    const secret = await f.createThread(ada, await f.createRoom(ada, 'private'));
    const { receiptId } = await f.postMessage(ada, secret, 'Secret');
    const listSignatures = () =>
      db.rows(sql`SELECT event_id FROM portable_signatures ORDER BY event_id`);
    const before = await listSignatures();
    for (const id of [nowhere, receiptId])
      for (const path of [`/e/${id}`, `/e/${id}.json`, `/api/v1/portable-events/${id}`])
        expect((await f.send('GET', path)).status).toBe(404);
    expect(await listSignatures()).toEqual(before);
  });
});

it('[receipt.jws] names its key as the key set does', async () => {
  const { receipt } = await read(started.receiptId);
  expect(decodeProtectedHeader(receipt.jws).kid).toBe(receipt.kid);
});
