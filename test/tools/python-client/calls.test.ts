import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { errorTable } from '../../../src/kernel/errors.ts';
import { factories, type Json } from '../../support/factories.ts';
import { startPretender } from '../../support/pretender.ts';
import { createFolder, findFreePort, startService } from '../../support/service.ts';
import { findProgram, runPython } from './python.ts';

const { url } = await startService({ DATA_DIR: createFolder() });
const f = factories({ url });

/** Makes a call in Python and returns what the program told of it. */
async function ask(address: string, method: string, given: Json = {}): Promise<Json> {
  const words = [findProgram('call_once.py'), address, method, JSON.stringify(given)];
  const { code, out, err } = await runPython(words);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

const buildProblem = (status: number, code: string, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: { code, detail: 'Do this.', status, reason: 'because' },
});

it('[python.one-file] has types that Python 3.9 understands, and only its library', async () => {
  const { code, out, err } = await runPython([findProgram('check_file.py')]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const told = JSON.parse(out);
  expect(told).toMatchObject({ withoutDocstring: [], foreign: [] });
  expect(told.records).toBeGreaterThan(150);
  expect(told.functions).toBeGreaterThan(200);
  expect(told.imported).toBeGreaterThan(10);
});

describe('a call', () => {
  it('[python.retry] is repeated with one idempotency key while it may still succeed', async () => {
    const answers = [
      buildProblem(503, 'unavailable', { 'retry-after': '2' }),
      buildProblem(429, 'rate_limited', { 'retry-after': '3' }),
      buildProblem(409, 'idempotency_in_progress', { 'retry-after': '1' }),
    ];
    let asked = 0;
    const pretender = await startPretender((request) => {
      asked += 1;
      if (asked === 1) request.socket.destroy();
      return answers[asked - 2] ?? { body: { id: 'x' } };
    });
    const thread = { id: randomUUID(), title: 'T', body: 'B' };
    const told = await ask(pretender.url, 'create_thread', thread);
    expect(told).toEqual({ result: { id: 'x' }, slept: [0.5, 2, 3, 1] });
    const keys = pretender.asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(5);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('[python.retry] is repeated when its answer broke off or is no JSON', async () => {
    const answers = [
      { headers: { 'content-length': '999', connection: 'close' }, body: '{"service":' },
      { body: '<html>' },
    ];
    const pretender = await startPretender(() => answers.shift() ?? { body: { service: 'stoa' } });
    const told = await ask(pretender.url, 'get_version');
    expect(told).toEqual({ result: { service: 'stoa' }, slept: [0.5, 1] });
  });

  it('[python.retry] fails after the last attempt, and at once if told to wait long', async () => {
    const nobody = `http://127.0.0.1:${await findFreePort()}`;
    expect(await ask(nobody, 'get_version')).toEqual({
      class: 'StoaConnectionError',
      detail: expect.stringContaining(`${nobody} does not answer`),
      slept: [0.5, 1, 2, 4],
    });
    const busy = await startPretender(() =>
      buildProblem(429, 'rate_limited', { 'retry-after': '3600' }),
    );
    expect(await ask(busy.url, 'get_version')).toMatchObject({
      class: 'RateLimitedError',
      retryAfter: 3600,
      slept: [],
    });
  });

  it('[python.errors] that nobody answers is one traceback, which says all', async () => {
    const nobody = `http://127.0.0.1:${await findFreePort()}`;
    const program = `
import stoa_client
stoa_client.Client("${nobody}", retry=stoa_client.ONE_TRY).get_version()`;
    const { code, err } = await runPython(['-c', program]);
    expect(code).toBe(1);
    expect(err.match(/^Traceback/gm)).toHaveLength(1);
    expect(err).toMatch(/StoaConnectionError: http:\S+ does not answer: .*refused/);
  });

  it('[python.redirect] follows no redirect, which would carry the key elsewhere', async () => {
    const elsewhere = await startPretender(() => ({ body: {} }));
    for (const status of [301, 302, 303, 307, 308]) {
      const pretender = await startPretender(() => ({
        status,
        headers: { location: `${elsewhere.url}/api/v1/me` },
      }));
      for (const method of ['get_me', 'join_room'])
        expect(
          await ask(pretender.url, method, method === 'get_me' ? {} : { id: randomUUID() }),
        ).toMatchObject({
          class: 'StoaApiError',
          status,
          detail: expect.stringMatching(/redirect to http:\S+ was not followed/),
          slept: [],
        });
      expect(pretender.asked.map(({ headers }) => headers['x-api-key'])).toEqual([
        'stoa_key',
        'stoa_key',
      ]);
    }
    expect(elsewhere.asked).toEqual([]);
  });

  it('[python.errors] sends no value that would lead to another address', async () => {
    for (const id of ['', '..', '.'])
      expect(await ask(url, 'get_thread', { id })).toMatchObject({ class: 'ValueError' });
    expect(await ask(url, 'get_agent', { handle: '../stats' })).not.toHaveProperty('result');
  });

  it('[attack.34-5] (API10) sends no id that is a word of another address', async () => {
    const pretender = await startPretender(() => ({ body: {} }));
    for (const id of ['current', `${randomUUID()}\n`])
      expect(await ask(pretender.url, 'revoke_key', { id })).toMatchObject({
        class: 'ValueError',
        detail: 'id must be a UUID: another text could be another address.',
      });
    expect(pretender.asked).toEqual([]);
  });
});

it('[python.errors] raises a class of its own for each code', async () => {
  const codes = Object.keys(errorTable);
  const pretender = await startPretender(({ url: path = '' }) =>
    buildProblem(418, path.split('/').at(-1) ?? ''),
  );
  const list = `
import json, stoa_client
for code in ${JSON.stringify(codes)}:
    try:
        stoa_client.Client("${pretender.url}", retry=stoa_client.ONE_TRY).get_agent(code)
    except stoa_client.StoaApiError as error:
        print(json.dumps([error.code, type(error).__name__, error.members, error.detail]))
`;
  const { out, err } = await runPython(['-c', list]);
  expect(err).toBe('');
  const rows = out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  expect(rows.map(([code]) => code)).toEqual(codes);
  expect(new Set(rows.map(([, name]) => name)).size).toBe(codes.length);
  expect(rows.find(([code]) => code === 'not_found')).toEqual([
    'not_found',
    'NotFoundError',
    { reason: 'because' },
    'Do this.',
  ]);
});

it('[python.errors] raises what the service says, with its members', async () => {
  const id = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
  expect(await ask(url, 'get_me')).toMatchObject({
    class: 'InvalidCredentialError',
    status: 401,
    code: 'invalid_credential',
    slept: [],
  });
  const ada = await f.createAgent();
  const program = `
import stoa_client
client = stoa_client.Client("${url}", api_key="${ada.key}")
try:
    client.get_thread("${id}")
except stoa_client.NotFoundError as error:
    print(error.status, error.code, error.problem["requestId"] == error.headers["x-request-id"])
try:
    client.create_room(name="x" * 121)
except stoa_client.InvalidRequestError as error:
    print([one["pointer"] for one in error.members["errors"]])
`;
  expect(await runPython(['-c', program])).toEqual({
    code: 0,
    err: '',
    out: "404 not_found True\n['/body/name']\n",
  });
});
