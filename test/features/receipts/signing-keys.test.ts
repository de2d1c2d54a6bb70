import type { AddressInfo } from 'node:net';
import { calculateJwkThumbprint, compactVerify, createLocalJWKSet } from 'jose';
import { pino } from 'pino';
import { describe, expect, inject, it } from 'vitest';
import { type App, createApp } from '../../../src/app/app.ts';
import { readSettings } from '../../../src/config.ts';
import { sql } from '../../../src/db/sql.ts';
import { rotateSigningKey, SigningKeyError } from '../../../src/kernel/crypto/signer.ts';
import { systemRandom } from '../../../src/kernel/ids.ts';
import { createTestClock, startApp } from '../../support/app.ts';
import { createDatabase } from '../../support/database.ts';
import { afterFile } from '../../support/each-file.ts';
import {
  createContextKey,
  factories,
  type Json,
  runConcurrently,
  waitUntil,
} from '../../support/factories.ts';
import { runCommand, startService, toDatabaseUrl as urlOfDatabase } from '../../support/service.ts';
import { findRowsContaining, listStoredRows } from '../../support/stored-rows.ts';

const clock = createTestClock();
const DATA_KEY = '0123456789abcdef'.repeat(4);

/** Starts nodes on a database of their own that no node has used before. */
async function createNodeStarter() {
  const connection = await createDatabase(inject('server'));
  const apps: App[] = [];
  afterFile(async () => {
    for (const one of apps) await one[Symbol.asyncDispose]();
  });
  return (settings: Record<string, string> = {}): App => {
    const values = readSettings({ PORT: '0', REALM: 'test', RATE_LIMITS: 'off', ...settings });
    const made = createApp(values, {
      connection,
      log: pino({ level: 'silent' }),
      clock,
      checkOutputs: true,
    });
    apps.push(made);
    return made;
  };
}

const getKeySet = (url: string): Promise<Json> =>
  factories({ url }).ok('GET', '/.well-known/service-jwks.json');
const rotate = ({ env: { db } }: App, dataKey: string | null = null) =>
  db.transaction((tx) => rotateSigningKey(tx, { clock, random: systemRandom, dataKey }));
const listKeyRows = ({ env: { db } }: App) =>
  db.rows<Json>(sql`SELECT * FROM signing_keys ORDER BY id`);
const getUrl = ({ http }: App) => `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;

/** Creates a thread and returns its receipt. */
async function createReceiptAt(url: string): Promise<Json> {
  const f = factories({ url });
  const agent = await f.createAgent();
  const { receiptId } = await f.ok('POST', `/api/v1/rooms/${await f.createRoom(agent)}/threads`, {
    key: agent.key,
    body: { title: 'T', body: 'B' },
  });
  return (await f.ok('GET', `/e/${receiptId}.json`)).receipt;
}

describe('the signing key', () => {
  it('[receipt.key-first] [receipt.jwks] is made once by concurrent nodes', async () => {
    const start = await createNodeStarter();
    const nodes = [start(), start(), start()];
    const urls = await Promise.all(nodes.map((node) => node.listen()));
    const sets = await Promise.all(urls.map(getKeySet));
    expect(sets.map(({ keys }) => keys.length)).toEqual([1, 1, 1]);
    const [key] = sets[0].keys;
    expect(sets).toEqual([sets[0], sets[0], sets[0]]);
    expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    expect(key.kid).toBe(await calculateJwkThumbprint(key));
    const f = factories({ url: urls[0] as string });
    const [mine, literal] = await Promise.all(
      ['stoa', 'service'].map((name) => f.send('GET', `/.well-known/${name}-jwks.json`)),
    );
    expect(mine?.text).toBe(literal?.text);
    const etag = mine?.headers.get('etag') ?? '';
    expect({
      status: (
        await f.send('GET', '/.well-known/stoa-jwks.json', { headers: { 'if-none-match': etag } })
      ).status,
      cacheControl: mine?.headers.get('cache-control'),
    }).toEqual({ status: 304, cacheControl: 'public, no-cache' });
  });

  it('[receipt.rotate] [receipt.immutable] [receipt.jwks] can be rotated at any time', async () => {
    const app = await startApp();
    const other = await app.startNode();
    const before = await createReceiptAt(app.url);
    const [first] = (await getKeySet(app.url)).keys;
    const kid = await rotate(app.app);
    // A node that has not noticed the rotation signs with the old key, which is just as valid.
    const between = await createReceiptAt(other.url);
    expect(between.kid).toBe(first.kid);
    await Promise.all([app, other].map((node) => node.app.jobs.runDue()));
    const after = [await createReceiptAt(app.url), await createReceiptAt(other.url)];
    expect(after.map((receipt) => receipt.kid)).toEqual([kid, kid]);

    const set = await getKeySet(other.url);
    expect(set.keys.map((key: Json) => key.kid)).toEqual([kid, first.kid]);
    for (const receipt of [before, between, ...after]) {
      const { payload } = await compactVerify(receipt.jws, createLocalJWKSet(set), {
        algorithms: ['ES256'],
      });
      expect(Buffer.from(payload).toString()).toBe(receipt.canonical);
    }
    expect((await factories(app).ok('GET', `/e/${before.payload.id}.json`)).receipt).toEqual(
      before,
    );
    expect(
      (await listKeyRows(app.app)).map((row) => [
        row.kid,
        row.private_key === null,
        row.retired_at !== null,
      ]),
    ).toEqual([
      [first.kid, true, true],
      [kid, false, false],
    ]);
    await runConcurrently(4, () => rotate(app.app));
    expect((await listKeyRows(app.app)).filter((row) => row.retired_at === null)).toHaveLength(1);
    expect((await getKeySet(app.url)).keys).toHaveLength(6);
  });

  it('[receipt.key-sealed] [receipt.key-refused] is encrypted under DATA_KEY', async () => {
    const start = await createNodeStarter();
    const open = start();
    const url = await open.listen();
    const receipt = await createReceiptAt(url);
    const [bare] = await listKeyRows(open);
    expect(bare.sealed).toBe(false);

    const sealing = start({ DATA_KEY });
    await sealing.listen();
    const [sealed] = await listKeyRows(sealing);
    expect({ sealed: sealed.sealed, kid: sealed.kid }).toEqual({ sealed: true, kid: bare.kid });
    for (const secret of [bare.private_key, bare.private_key.subarray(-100, -60)])
      expect(
        findRowsContaining(await listStoredRows(sealing.env.db), secret.toString('hex')),
      ).toEqual([]);
    expect((await createReceiptAt(getUrl(sealing))).kid).toBe(receipt.kid);

    const wrong = start({ DATA_KEY: 'f'.repeat(64) });
    await expect(wrong.listen()).rejects.toThrow(SigningKeyError);
    await expect(start().listen()).rejects.toThrow(/^DATA_KEY must be set/);
    await expect(start({ DATA_KEY: `${DATA_KEY.slice(1)}0` }).listen()).rejects.toThrow(
      /^DATA_KEY is not the one/,
    );

    // It is not replaced by a key that the running services cannot decrypt either.
    for (const other of [null, 'f'.repeat(64)])
      await expect(rotate(sealing, other)).rejects.toThrow(SigningKeyError);
    const kid = await rotate(sealing, DATA_KEY);
    const again = start({ DATA_KEY });
    await again.listen();
    const later = await createReceiptAt(getUrl(again));
    expect(later.kid).toBe(kid);
    const set = createLocalJWKSet(await getKeySet(getUrl(again)));
    for (const { jws } of [receipt, later])
      await compactVerify(jws, set, { algorithms: ['ES256'] });
  });

  it('[receipt.key-sealed] encrypted for one key does not decrypt with another', async () => {
    const start = await createNodeStarter();
    const app = start({ DATA_KEY });
    await app.listen();
    await app.env.db.run(sql`UPDATE signing_keys SET kid = ${'A'.repeat(43)}`);
    await expect(start({ DATA_KEY }).listen()).rejects.toThrow(SigningKeyError);
  });
});

describe('the built service', () => {
  it(
    '[receipt.rotate] [receipt.key-refused] [audit.every-act] ' +
      'adopts the key of the command line and starts with no other DATA_KEY',
    async () => {
      const connection = await createDatabase(inject('server'));
      const DATABASE_URL = urlOfDatabase(connection);
      const service = await startService({ DATABASE_URL, DATA_KEY });
      const before = await createReceiptAt(service.url);
      const refusal = await runCommand('signing-key rotate', { DATABASE_URL });
      expect(refusal).toEqual({
        code: 1,
        out: '',
        err: expect.stringMatching(/^DATA_KEY must be set[^\n]*\n$/),
      });
      const { code, out } = await runCommand('signing-key rotate', { DATABASE_URL, DATA_KEY });
      expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^[\w-]{43}\n$/) });
      await waitUntil(
        'it signs with the new key',
        async () => (await createReceiptAt(service.url)).kid === out.trim(),
      );
      expect((await factories(service).ok('GET', `/e/${before.payload.id}.json`)).receipt).toEqual(
        before,
      );
      const [{ action, targetId, administrator }] = await factories(service).ok(
        'GET',
        '/api/v1/admin/audit',
        { admin: true },
      );
      expect({ action, targetId, administrator }).toEqual({
        action: 'signing-key.rotated',
        targetId: out.trim(),
        administrator: expect.stringMatching(/^command line: /),
      });
      expect(await service.end('SIGTERM')).toBe(0);

      for (const wrong of [{}, { DATA_KEY: 'f'.repeat(64) }]) {
        const ended = await runCommand('serve', { DATABASE_URL, ...wrong });
        expect(ended).toEqual({
          code: 1,
          out: '',
          err: expect.stringMatching(/^DATA_KEY [^\n]*\n$/),
        });
      }
    },
  );
});

describe('the receipt of a guest context', () => {
  it('[receipt.guest] [guest.receipt] is signed, replayed and unpublished', async () => {
    const app = await startApp();
    const f = factories(app);
    const context = createContextKey();
    const idem = 'one-and-the-same';
    const write = () =>
      f.send('PUT', '/api/v1/guest-context/notes', { context, body: { value: 1 }, idem });
    const written = await write();
    await rotate(app.app);
    await app.app.jobs.runDue();
    const replayed = await write();
    expect({
      text: replayed.text,
      idempotencyReplayed: replayed.headers.get('idempotency-replayed'),
    }).toEqual({ text: written.text, idempotencyReplayed: 'true' });
    const deleted = await f.ok('DELETE', '/api/v1/guest-context/notes', { context, body: {} });

    const set = createLocalJWKSet(await getKeySet(app.url));
    for (const receipt of [written.body, deleted]) {
      const { payload, protectedHeader } = await compactVerify(receipt.jws, set, {
        algorithms: ['ES256'],
      });
      const { id, key, action, version, valueSha256, recordedAt } = receipt;
      expect(JSON.parse(Buffer.from(payload).toString())).toEqual({
        v: 1,
        iss: app.url,
        realm: 'test',
        id,
        kind: `guest-context.${action}`,
        occurredAt: recordedAt,
        actor: { type: 'guest-context', id: expect.any(String) },
        subject: { type: 'guest-context-entry', key, version },
        contentSha256: valueSha256,
      });
      expect(protectedHeader.typ).toBe('stoa-receipt+jws');
      expect(await f.sendForOutcome('GET', `/e/${id}.json`)).toBe('404 not_found');
    }
    expect((await getKeySet(app.url)).keys).toHaveLength(2);
  });
});
