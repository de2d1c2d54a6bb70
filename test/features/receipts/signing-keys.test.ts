import type { AddressInfo } from 'node:net';
import { calculateJwkThumbprint, compactVerify, createLocalJWKSet } from 'jose';
import { pino } from 'pino';
import { describe, expect, inject, it } from 'vitest';
import { type App, createApp } from '../../../src/app/app.ts';
import { readSettings } from '../../../src/config.ts';
import { sql } from '../../../src/db/sql.ts';
import { systemRandom } from '../../../src/kernel/ids.ts';
import { rotateSigningKey, SigningKeyError } from '../../../src/kernel/crypto/signer.ts';
import { startApp, testClock } from '../../support/app.ts';
import { createDatabase } from '../../support/database.ts';
import { afterFile } from '../../support/each-file.ts';
import { contextKey, factories, type Loose, together, until } from '../../support/factories.ts';
import { command, serve, urlOf as urlOfDatabase } from '../../support/service.ts';
import { everythingStored, holding } from '../../support/stored-rows.ts';

const clock = testClock();
const DATA_KEY = '0123456789abcdef'.repeat(4);

/** Nodes on a database of their own, that nobody has started on before. */
async function freshDatabase() {
  const { connection, drop } = await createDatabase(inject('server'));
  const apps: App[] = [];
  afterFile(async () => {
    for (const one of apps) await one[Symbol.asyncDispose]();
    await drop();
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

const keySet = (url: string): Promise<Loose> =>
  factories({ url }).ok('GET', '/.well-known/service-jwks.json');
const rotate = ({ env: { db } }: App, dataKey: string | null = null) =>
  db.transaction((tx) => rotateSigningKey(tx, { clock, random: systemRandom, dataKey }));
const rowsOf = ({ env: { db } }: App) =>
  db.rows<Loose>(sql`SELECT * FROM signing_keys ORDER BY id`);
const urlOf = ({ http }: App) => `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;

/** The receipt of a new thread. */
async function receiptAt(url: string): Promise<Loose> {
  const f = factories({ url });
  const agent = await f.agent();
  const { receiptId } = await f.ok('POST', `/api/v1/rooms/${await f.room(agent)}/threads`, {
    key: agent.key,
    body: { title: 'T', body: 'B' },
  });
  return (await f.ok('GET', `/e/${receiptId}.json`)).receipt;
}

describe('the signing key', () => {
  it('[receipt.key-first] [receipt.jwks] is made once by nodes that start together, and the key set has its public half only', async () => {
    const start = await freshDatabase();
    const nodes = [start(), start(), start()];
    const urls = await Promise.all(nodes.map((node) => node.listen()));
    const sets = await Promise.all(urls.map(keySet));
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
    expect([
      (await f.send('GET', '/.well-known/stoa-jwks.json', { headers: { 'if-none-match': etag } }))
        .status,
      mine?.headers.get('cache-control'),
    ]).toEqual([304, 'public, no-cache']);
  });

  it('[receipt.rotate] [receipt.immutable] [receipt.jwks] can be replaced while nodes run, and nothing that was signed before is lost', async () => {
    const app = await startApp();
    const other = await app.another();
    const before = await receiptAt(app.url);
    const [first] = (await keySet(app.url)).keys;
    const kid = await rotate(app.app);
    // A node that has not heard of it signs with the old key: that is as valid.
    const between = await receiptAt(other.url);
    expect(between.kid).toBe(first.kid);
    await Promise.all([app, other].map((node) => node.app.jobs.runDue()));
    const after = [await receiptAt(app.url), await receiptAt(other.url)];
    expect(after.map((receipt) => receipt.kid)).toEqual([kid, kid]);

    const set = await keySet(other.url);
    expect(set.keys.map((key: Loose) => key.kid)).toEqual([kid, first.kid]);
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
      (await rowsOf(app.app)).map((row) => [
        row.kid,
        row.private_key === null,
        row.retired_at !== null,
      ]),
    ).toEqual([
      [first.kid, true, true],
      [kid, false, false],
    ]);
    await together(4, () => rotate(app.app));
    expect((await rowsOf(app.app)).filter((row) => row.retired_at === null)).toHaveLength(1);
    expect((await keySet(app.url)).keys).toHaveLength(6);
  });

  it('[receipt.key-sealed] [receipt.key-refused] is sealed under DATA_KEY, also when that comes later, and opened by no other', async () => {
    const start = await freshDatabase();
    const open = start();
    const url = await open.listen();
    const receipt = await receiptAt(url);
    const [bare] = await rowsOf(open);
    expect(bare.sealed).toBe(false);

    const sealing = start({ DATA_KEY });
    await sealing.listen();
    const [sealed] = await rowsOf(sealing);
    expect([sealed.sealed, sealed.kid]).toEqual([true, bare.kid]);
    for (const secret of [bare.private_key, bare.private_key.subarray(-100, -60)])
      expect(holding(await everythingStored(sealing.env.db), secret.toString('hex'))).toEqual([]);
    expect((await receiptAt(urlOf(sealing))).kid).toBe(receipt.kid);

    const wrong = start({ DATA_KEY: 'f'.repeat(64) });
    await expect(wrong.listen()).rejects.toThrow(SigningKeyError);
    await expect(start().listen()).rejects.toThrow(/^DATA_KEY must be set/);
    await expect(start({ DATA_KEY: `${DATA_KEY.slice(1)}0` }).listen()).rejects.toThrow(
      /^DATA_KEY is not the one/,
    );

    // Nor is it replaced by a key that the running services could not open.
    for (const other of [null, 'f'.repeat(64)])
      await expect(rotate(sealing, other)).rejects.toThrow(SigningKeyError);
    const kid = await rotate(sealing, DATA_KEY);
    const again = start({ DATA_KEY });
    await again.listen();
    const later = await receiptAt(urlOf(again));
    expect(later.kid).toBe(kid);
    const set = createLocalJWKSet(await keySet(urlOf(again)));
    for (const { jws } of [receipt, later])
      await compactVerify(jws, set, { algorithms: ['ES256'] });
  });

  it('[receipt.key-sealed] what is sealed for one key does not open as another', async () => {
    const start = await freshDatabase();
    const app = start({ DATA_KEY });
    await app.listen();
    await app.env.db.run(sql`UPDATE signing_keys SET kid = ${'A'.repeat(43)}`);
    await expect(start({ DATA_KEY }).listen()).rejects.toThrow(SigningKeyError);
  });
});

describe('the built service', { timeout: 120_000 }, () => {
  it('[receipt.rotate] [receipt.key-refused] [audit.every-act] takes up a key that the command line made, and starts with no other DATA_KEY', async () => {
    const { connection, drop } = await createDatabase(inject('server'));
    afterFile(drop);
    const DATABASE_URL = urlOfDatabase(connection);
    const service = await serve({ DATABASE_URL, DATA_KEY });
    const before = await receiptAt(service.url);
    const refusal = await command('signing-key rotate', { DATABASE_URL });
    expect(refusal).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^DATA_KEY must be set[^\n]*\n$/),
    });
    const { code, out } = await command('signing-key rotate', { DATABASE_URL, DATA_KEY });
    expect([code, out]).toEqual([0, expect.stringMatching(/^[\w-]{43}\n$/)]);
    await until(
      'it signs with the new key',
      async () => (await receiptAt(service.url)).kid === out.trim(),
    );
    expect((await factories(service).ok('GET', `/e/${before.payload.id}.json`)).receipt).toEqual(
      before,
    );
    const [{ action, targetId, administrator }] = await factories(service).ok(
      'GET',
      '/api/v1/admin/audit',
      { admin: true },
    );
    expect([action, targetId, administrator]).toEqual([
      'signing-key.rotated',
      out.trim(),
      expect.stringMatching(/^command line: /),
    ]);
    expect(await service.end('SIGTERM')).toBe(0);

    for (const wrong of [{}, { DATA_KEY: 'f'.repeat(64) }]) {
      const ended = await command('serve', { DATABASE_URL, ...wrong });
      expect(ended).toEqual({
        code: 1,
        out: '',
        err: expect.stringMatching(/^DATA_KEY [^\n]*\n$/),
      });
    }
  });
});

describe('the receipt of a guest', () => {
  it('[receipt.guest] [guest.receipt] is signed with the same key, replayed byte for byte, and published nowhere', async () => {
    const app = await startApp();
    const f = factories(app);
    const context = contextKey();
    const idem = 'one-and-the-same';
    const write = () =>
      f.send('PUT', '/api/v1/guest-context/notes', { context, body: { value: 1 }, idem });
    const written = await write();
    await rotate(app.app);
    await app.app.jobs.runDue();
    const replayed = await write();
    expect([replayed.text, replayed.headers.get('idempotency-replayed')]).toEqual([
      written.text,
      'true',
    ]);
    const deleted = await f.ok('DELETE', '/api/v1/guest-context/notes', { context, body: {} });

    const set = createLocalJWKSet(await keySet(app.url));
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
      expect(await f.outcome('GET', `/e/${id}.json`)).toBe('404 not_found');
    }
    expect((await keySet(app.url)).keys).toHaveLength(2);
  });
});
