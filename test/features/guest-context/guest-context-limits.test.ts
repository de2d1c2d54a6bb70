import { describe, expect, it } from 'vitest';
import { createClient } from '../../../client/src/calls/client.ts';
import { readSettings } from '../../../src/config.ts';
import { SettingError } from '../../../src/setting-parsers.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, createContextKey, factories, type Json } from '../../support/factories.ts';

// A job that removes expired contexts raises the versions of all contexts that come after it.
const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const DAY = 24 * 3600 * 1000;
const entryPath = (key: string) => `/api/v1/guest-context/${key}`;
const put = (context: string, key: string, body: Json) =>
  f.send('PUT', entryPath(key), { context, body });
const remove = (context: string, key: string) =>
  f.send('DELETE', entryPath(key), { context, body: {} });

describe('limits of guest contexts', () => {
  it('[guest.guide] [guest.manifest] are stated publicly, as configured', async () => {
    const node = await app.startNode({ GUEST_CONTEXT_KEYS: '2', GUEST_CONTEXT_BYTES: '1024' });
    const defaults = {
      keys: 8,
      bytes: 65_536,
      keyCharacters: 128,
      minTtlSeconds: 60,
      maxTtlSeconds: 2_592_000,
    };
    const expected = [
      [app.url, defaults],
      [node.url, { ...defaults, keys: 2, bytes: 1024 }],
    ] as const;
    for (const [url, limits] of expected) {
      const anyone = createClient({ baseUrl: url });
      const guide = await anyone.explainGuestContext();
      expect(guide).toMatchObject({
        header: 'X-Context-Key',
        url: `${url}/api/v1/guest-context/{key}`,
        limits,
      });
      expect(guide.steps.join(' ')).toContain(
        `at most ${limits.keys} entries and ${limits.bytes} bytes`,
      );
      const facts = { guestContext: { enabled: true, url: `${url}/api/v1/guest-context`, limits } };
      for (const answer of [await anyone.getCapabilities(), await anyone.getManifest()]) {
        expect(answer).toMatchObject(facts);
        expect(answer.limits).toMatchObject({
          guestContextKeys: limits.keys,
          guestContextBytes: limits.bytes,
        });
      }
    }
    for (const wrong of [
      { GUEST_CONTEXT_KEYS: '0' },
      { GUEST_CONTEXT_KEYS: 'many' },
      { GUEST_CONTEXT_BYTES: '1023' },
    ])
      expect(() => readSettings(wrong)).toThrow(SettingError);
  });

  it('[guest.quota] are 8 keys and 64 KiB of keys and canonical values', async () => {
    const context = createContextKey();
    for (let n = 0; n < 8; n++)
      expect((await put(context, `key-${n}`, { value: n })).status).toBe(200);
    const ninth = await put(context, 'key-8', { value: 8 });
    expect(ninth).toMatchObject(buildProblem(422, 'limit_exceeded', { limit: 8 }));
    expect((await put(context, 'key-0', { value: 'again' })).status).toBe(200);
    await remove(context, 'key-0');
    expect((await put(context, 'key-8', { value: 8 })).status).toBe(200);

    const big = createContextKey();
    // {"a":"…"} of 2-byte letters is counted without the spaces in which it came: 8 + 2 * 32,762 +
    // 4 for the key = 65,536.
    const buildRawValue = (letters: number) => ({
      raw: `{ "value" : { "a" :   "${'é'.repeat(letters)}" } }`,
    });
    const putFull = (letters: number) =>
      f.send('PUT', entryPath('full'), { context: big, ...buildRawValue(letters) });
    expect(await putFull(32_763)).toMatchObject(
      buildProblem(422, 'limit_exceeded', { limit: 65_536 }),
    );
    expect((await putFull(32_762)).status).toBe(200);
    expect(await put(big, 'b', { value: 1 })).toMatchObject(
      buildProblem(422, 'limit_exceeded', { limit: 65_536 }),
    );
    expect((await putFull(32_761)).status).toBe(200);
    expect((await put(big, 'b', { value: 1 })).status).toBe(200);
    expect(await f.ok('GET', entryPath('full'), { context: big })).toMatchObject({ version: 2 });
  });

  it('[guest.quota] let an entry stay and shrink after they were lowered', async () => {
    const context = createContextKey();
    for (const key of ['a', 'b', 'c']) await put(context, key, { value: 'x'.repeat(1_000) });
    const node = factories(
      await app.startNode({ GUEST_CONTEXT_KEYS: '2', GUEST_CONTEXT_BYTES: '1024' }),
    );
    const putElsewhere = (key: string, letters: number) =>
      node.sendForOutcome('PUT', entryPath(key), { context, body: { value: 'x'.repeat(letters) } });
    expect(await node.ok('GET', entryPath('c'), { context })).toMatchObject({ version: 1 });
    expect({
      grown: await putElsewhere('a', 1_001),
      shrunk: await putElsewhere('a', 999),
      added: await putElsewhere('d', 1),
    }).toEqual({ grown: '422 limit_exceeded', shrunk: '200', added: '422 limit_exceeded' });
  });
});

describe('summarizeGuestContexts', () => {
  it('[guest.admin] returns counts, bytes and expiries by day, and no key or value', async () => {
    const node = await startApp();
    const { send, ok: expectOk } = factories(node);
    const getDay = (days: number) => new Date(node.clock() + days * DAY).toISOString().slice(0, 10);
    const secrets: string[] = [];
    const putAndAdvance = async (context: string, key: string, value: string, days: number) => {
      secrets.push(context, key, value);
      await expectOk('PUT', entryPath(key), {
        context,
        body: { value, ttlSeconds: days * 86_400 },
      });
    };
    const getSummary = () => expectOk('GET', '/api/v1/admin/guest-context', { admin: true });
    const getNow = () => new Date(node.clock()).toISOString();
    expect(await getSummary()).toEqual({
      contexts: 0,
      entries: 0,
      bytes: 0,
      expiries: [],
      asOf: getNow(),
    });
    const one = createContextKey();
    await putAndAdvance(one, 'private-a', 'secret-1', 1);
    await putAndAdvance(one, 'private-b', 'secret-22', 3);
    await putAndAdvance(createContextKey(), 'private-c', 'secret-é', 3);
    const first = { date: getDay(1), entries: 1, bytes: 19 };
    const third = { date: getDay(3), entries: 2, bytes: 20 + 20 };
    const { text } = await send('GET', '/api/v1/admin/guest-context', { admin: true });
    expect(JSON.parse(text)).toEqual({
      contexts: 2,
      entries: 3,
      bytes: 59,
      expiries: [first, third],
      asOf: getNow(),
    });
    for (const secret of secrets) expect(text).not.toContain(secret);
    // Expired entries stop counting before and after the job runs.
    node.clock.advance(DAY);
    for (const run of [async () => {}, async () => node.clock.advance(1), node.app.jobs.runDue]) {
      await run();
      expect(await getSummary()).toEqual({
        contexts: 2,
        entries: 2,
        bytes: 40,
        expiries: [third],
        asOf: getNow(),
      });
    }
  });
});
