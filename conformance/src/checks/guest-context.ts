import { createHash, randomUUID } from 'node:crypto';
import { buildArea, check } from '../check.ts';
import {
  expectEqual,
  expectHeader,
  expectMembers,
  expectOk,
  expectProblem,
  expectThat,
} from '../support/expectations.ts';
import { createContextKey } from '../support/guest.ts';
import { verifyJws } from '../support/receipts.ts';
import type { World } from '../support/world.ts';

const PATH = '/api/v1/guest-context';
const KEY = '`X-Context-Key` = 64 lowercase hex digits (32 random bytes)';
const NAMES = '`key` (1..128 of `[A-Za-z0-9._:-]`)';
const IDEM = '`Idem` means the header `Idempotency-Key` (string) is required.';

const put = (w: World, context: string, key: string, body: object, idem?: string | null) =>
  w.put(`${PATH}/${key}`, body, {
    headers: { 'x-context-key': context },
    ...(idem !== undefined && { idem }),
  });
const get = (w: World, context: string, key: string) =>
  w.get(`${PATH}/${key}`, { headers: { 'x-context-key': context } });
const remove = (w: World, context: string, key: string, body: object, idem?: string | null) =>
  w.delete(`${PATH}/${key}`, {
    body,
    headers: { 'x-context-key': context },
    ...(idem !== undefined && { idem }),
  });

const anyVersion = { expectedVersion: null };
const malformedKeys = { short: 'ab', upper: 'AB'.repeat(32), words: 'not hex digits' };
const keptValues: Readonly<Record<string, unknown>> = {
  object: { b: [1, 2.5, null], a: { '\u00e9': true } },
  string: 'words',
  number: -0.5,
  null: null,
  false: false,
  list: [],
};

export const guestContext = buildArea(
  'guest-context',
  'core 9',
  [
    check(
      'explains',
      '`GET /api/v1/guest-context` explains this with the limits in force.',
      async (w) => {
        const answer = await w.get(PATH);
        expectOk(answer);
        expectThat(/x-context-key/i.test(answer.text), 'expected the header to be named', answer);
        expectThat(answer.text.includes('65536'), 'expected the limit of bytes', answer);
      },
    ),
    check(
      'needs-key',
      'C = context key',
      async (w) => {
        expectProblem(await w.get(`${PATH}/note`), 401, 'unauthenticated');
      },
      { source: 'spec: Endpoints' },
    ),
    ...Object.entries(malformedKeys).map(([name, key]) =>
      check(`key-${name}`, KEY, async (w) => {
        expectProblem(await get(w, key, 'note'), 401, 'invalid_credential');
      }),
    ),
    check('write', 'The first write creates the context', async (w) => {
      const context = createContextKey();
      expectOk(await put(w, context, 'note', { value: { a: 1 } }));
      const answer = await get(w, context, 'note');
      const entry = expectOk(answer);
      const names = ['key', 'value', 'version', 'createdAt', 'updatedAt', 'expiresAt'];
      expectMembers(entry, names, answer);
      const { key, value, version } = entry;
      expectEqual({ key, value }, { key: 'note', value: { a: 1 } }, 'the entry', answer);
      expectThat(Number.isInteger(version) && version > 0, 'expected a version', answer);
      expectHeader(answer, 'x-content-trust', 'untrusted');
    }),
    ...Object.entries(keptValues).map(([name, value]) =>
      check(`value-${name}`, 'GuestContextWrite: `value` (any JSON)', async (w) => {
        const context = createContextKey();
        expectOk(await put(w, context, 'note', { value }));
        expectEqual(expectOk(await get(w, context, 'note')).value, value, 'value');
      }),
    ),
    check('secret', 'whoever has the key has the context', async (w) => {
      const context = createContextKey();
      expectOk(await put(w, context, 'note', { value: 1 }));
      expectProblem(await get(w, createContextKey(), 'note'), 404, 'not_found');
    }),
    check(
      'receipt',
      'Receipt: `id`, `key`, `action` (`written`, `deleted`), `version` …',
      async (w) => {
        const context = createContextKey();
        const answer = await put(w, context, 'note', { value: { b: 1, a: 2 } });
        const receipt = expectOk(answer);
        const names = ['id', 'key', 'action', 'version', 'valueSha256', 'recordedAt', 'jws'];
        expectMembers(receipt, names, answer);
        const digest = createHash('sha256').update('{"a":2,"b":1}').digest('hex');
        const { action, version, valueSha256 } = receipt;
        const expected = { action: 'written', valueSha256: digest };
        expectEqual({ action, valueSha256 }, expected, 'the receipt', answer);
        expectEqual(version, expectOk(await get(w, context, 'note')).version, 'version', answer);
      },
    ),
    check('jws', '`jws` (signed as in section 8, verifiable, not published)', async (w) => {
      const { id, jws } = expectOk(await put(w, createContextKey(), 'note', { value: 1 }));
      const { payload } = await verifyJws(w, jws);
      expectThat(payload.includes(id), 'expected the id of the receipt to be signed');
      expectProblem(await w.get(`/e/${id}.json`), 404, 'not_found');
    }),
    check('version', 'optional `expectedVersion` (0 = must not exist)', async (w) => {
      const context = createContextKey();
      const write = (expectedVersion: number) =>
        put(w, context, 'note', { value: expectedVersion, expectedVersion });
      // No sentence says with which version an entry begins.
      const { version } = expectOk(await write(0));
      const answer = await write(0);
      const { currentVersion } = expectProblem(answer, 409, 'version_conflict');
      expectEqual(currentVersion, version, 'currentVersion', answer);
      expectThat(expectOk(await write(version)).version > version, 'expected a later version');
    }),
    check('any', 'Both null and absent `expectedVersion` mean any.', async (w) => {
      const context = createContextKey();
      const first = expectOk(await put(w, context, 'note', { value: 1 }));
      const second = await put(w, context, 'note', { value: 2, expectedVersion: null });
      expectThat(expectOk(second).version > first.version, 'expected a later version', second);
    }),
    check('delete', '`valueSha256` (null when deleted)', async (w) => {
      const context = createContextKey();
      expectOk(await put(w, context, 'note', { value: 1 }));
      const { action, valueSha256 } = expectOk(await remove(w, context, 'note', anyVersion));
      expectEqual({ action, valueSha256 }, { action: 'deleted', valueSha256: null }, 'it');
      expectProblem(await get(w, context, 'note'), 404, 'not_found');
    }),
    check(
      'replay',
      'returns a receipt',
      async (w) => {
        const context = createContextKey();
        const idem = randomUUID();
        const first = await put(w, context, 'note', { value: 1 }, idem);
        const second = await put(w, context, 'note', { value: 1 }, idem);
        expectEqual(second.text, first.text, 'the replay', second);
        expectHeader(second, 'idempotency-replayed', 'true');
      },
      { source: 'spec: Endpoints' },
    ),
    check(
      'idem-put',
      IDEM,
      async (w) => {
        const answer = await put(w, createContextKey(), 'note', { value: 1 }, null);
        expectProblem(answer, 400, 'idempotency_key_required');
      },
      { source: 'spec: Endpoints' },
    ),
    check(
      'idem-delete',
      IDEM,
      async (w) => {
        const answer = await remove(w, createContextKey(), 'note', anyVersion, null);
        expectProblem(answer, 400, 'idempotency_key_required');
      },
      { source: 'spec: Endpoints' },
    ),
    check('names-longest', NAMES, async (w) => {
      expectOk(await put(w, createContextKey(), `A.z_9:-${'k'.repeat(121)}`, { value: 1 }));
    }),
    ...[
      ['long', 'k'.repeat(129)],
      ['blank', 'two%20words'],
      ['letter', 'caf%C3%A9'],
    ].map(([name = '', key = '']) =>
      check(`names-${name}`, NAMES, async (w) => {
        const answer = await put(w, createContextKey(), key, { value: 1 });
        expectProblem(answer, 400, 'invalid_request', '/path/key');
      }),
    ),
    check('keys', 'At most 8 keys and 64 KiB a context (settings).', async (w) => {
      const context = createContextKey();
      const { guestContextKeys: limit } = w.capabilities.limits;
      for (let at = 0; at < limit; at += 1)
        expectOk(await put(w, context, `k${at}`, { value: at }));
      const answer = await put(w, context, 'more', { value: 1 });
      expectEqual(expectProblem(answer, 422, 'limit_exceeded').limit, limit, 'limit', answer);
      expectOk(await put(w, context, 'k0', { value: 'again' }));
    }),
    check('bytes', 'The 64 KiB count keys and canonical values.', async (w) => {
      const context = createContextKey();
      const { guestContextBytes: limit } = w.capabilities.limits;
      const key = 'k';
      // The value is a string: two quotation marks and its letters.
      expectOk(await put(w, context, key, { value: 'x'.repeat(limit - 3) }));
      const answer = await put(w, context, key, { value: 'x'.repeat(limit - 2) });
      expectProblem(answer, 422, 'limit_exceeded');
    }),
  ],
  { needs: ['guestContext'] },
);
