import { describe, expect, it } from 'vitest';
import { errorTable } from '../../src/kernel/errors.ts';
import { ignoresUnknownQuery } from '../../src/kernel/operation/any-operation.ts';
import { listErrorCodes } from '../../src/kernel/operation/error-codes.ts';
import type { Operation } from '../../src/kernel/operation/operation.ts';
import { allFeaturesOn } from '../support/all-features-on.ts';
import { startApp } from '../support/app.ts';
import { type Answer, buildProblem, call, factories, type Json } from '../support/factories.ts';
import { makeValidCall } from './cases.ts';
import { callOperation, createFixture, fillPath, registry } from './fixture.ts';

const app = await startApp(await allFeaturesOn());
const f = factories(app);
const fixture = await createFixture(f);
const { owner, outsider, removed, member, publicRoom, privateRoom, threads } = fixture;
const as = { key: owner.key };
const listPointers = ({ body }: Answer<Json>) =>
  body.errors.map(({ pointer }: Json) => pointer).sort();

describe('the table of codes', () => {
  /** Section 2 of the contract, as it stands there. */
  const contract: Readonly<Record<number, string>> = {
    400: 'invalid_request idempotency_key_required idempotency_key_invalid',
    401: 'unauthenticated invalid_credential',
    403:
      'insufficient_scope capability_not_active capability_revoked capability_disabled ' +
      'agent_blocked membership_required removed_from_room forbidden',
    404: 'not_found',
    405: 'method_not_allowed',
    409:
      'handle_taken already_exists version_conflict state_conflict idempotency_in_progress ' +
      'credential_unavailable idempotency_replay_sealed',
    410: 'gone',
    413: 'payload_too_large',
    415: 'unsupported_media_type',
    416: 'range_not_satisfiable',
    422:
      'idempotency_key_reused invalid_webhook_url invalid_webhook_secret ' +
      'webhook_verification_failed limit_exceeded insufficient_funds not_eligible',
    429: 'rate_limited',
    500: 'internal_error',
    503: 'unavailable',
  };

  it('[error.one-table] is that of the contract', () => {
    const meant = Object.entries(contract).flatMap(([status, codes]) =>
      codes.split(' ').map((code) => [code, Number(status)]),
    );
    expect(
      Object.entries(errorTable)
        .map(([code, { status }]) => [code, status])
        .sort(),
    ).toEqual(meant.sort());
  });

  it('[error.one-table] has all that operations declare and OpenAPI lists', async () => {
    const known = Object.keys(errorTable);
    for (const operation of registry)
      expect(known).toEqual(expect.arrayContaining(listErrorCodes(operation)));
    const { components } = await f.ok('GET', '/openapi.json');
    expect(components.schemas.Problem.properties.code.enum).toEqual(known);
  });
});

describe('invalid_request', () => {
  it('[error.fuzz-no-500] [wire.text-refused] is the answer to a NUL in a query', async () => {
    for (const path of ['/interactions?author=%00', '/threads?tag=a%00b', '/agents?offset=%00'])
      expect(await f.send('GET', `/api/v1${path}`)).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
  });

  it('[error.bounded] [ops.no-freeze] is told in a few lines, whatever was sent', async () => {
    const members = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`m${index}`, 1]),
    );
    const hostile = [
      ['/me/keys', { scopes: Array(30_000).fill(1) }, '/body/scopes'],
      ['/me/activation', { capabilities: Array(15_000).fill('x') }, '/body/capabilities'],
      ['/rooms', { name: 'R', ...members }, '/body/m0'],
      ['/rooms', { name: `a${'\u0315\u0300'.repeat(15_000)}` }, '/body/name'],
      [
        `/rooms/${publicRoom}/threads`,
        { title: 'T', body: 'B', tags: Array(35_000).fill(1) },
        '/body/tags',
      ],
    ] as const;
    for (const [path, body, pointer] of hostile) {
      const answer = await f.send('POST', `/api/v1${path}`, { ...as, body });
      expect({ path, answer }).toMatchObject({
        path,
        answer: buildProblem(400, 'invalid_request'),
      });
      expect(answer.body.errors[0].pointer).toBe(pointer);
      expect(answer.text.length).toBeLessThan(3_000);
    }
    for (const body of [`@a${'_'.repeat(65_000)}a`, `a${'\u0315\u0300'.repeat(16_000)}`])
      await f.postMessage(owner, threads.open, body);
  });

  const withBody = registry.filter(
    (operation): operation is Operation =>
      operation.kind === 'call' && operation.body !== undefined && !operation.bodyOptional,
  );

  it.for(withBody.map((operation) => ({ name: operation.name, operation })))(
    '[error.invalid-request] [error.pointers] $name without a body, or with one that is none',
    async ({ name, operation }) => {
      const { input, as } = await makeValidCall(name, fixture, f);
      for (const raw of [
        undefined,
        '',
        ' ',
        '{',
        'null',
        '[]',
        '"x"',
        '1',
        '{"a":}',
        "{'a':1}",
        '{"a":1}}',
      ]) {
        const answer = await call(app.url, operation.method, fillPath(operation, input), {
          ...as,
          ...(raw !== undefined && { raw }),
        });
        expect({ raw, answer }).toMatchObject({
          raw,
          answer: buildProblem(400, 'invalid_request'),
        });
        for (const pointer of listPointers(answer)) expect(pointer).toMatch(/^\/body($|\/)/);
      }
    },
  );

  const withParams = registry.filter(
    ({ params, path }) => params && /\{(id|memberId|invitationId)\}/.test(path),
  );

  it.for(withParams.map((operation) => ({ name: operation.name, operation })))(
    '[error.invalid-request] [error.pointers] $name with a bad UUID in its path',
    async ({ name, operation }) => {
      const { input, as } = await makeValidCall(name, fixture, f);
      for (const parameter of Object.keys(input.params ?? {}).filter((one) => /id$/i.test(one))) {
        for (const bad of [
          'x',
          '1',
          '01936f4e8a2b7c3d9e4f5a6b7c8d9e0f',
          '{01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f}',
          '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0g',
          ' ',
        ]) {
          const answer = await callOperation(
            app.url,
            operation,
            { ...input, params: { ...input.params, [parameter]: bad } },
            as,
          );
          expect({ bad, answer }).toMatchObject({
            bad,
            answer: buildProblem(400, 'invalid_request', {
              errors: [{ pointer: `/path/${parameter}`, detail: 'must be a UUID' }],
            }),
          });
        }
      }
    },
  );

  it.for(
    registry
      .filter((operation) => !ignoresUnknownQuery(operation))
      .map((operation) => ({ name: operation.name, operation })),
  )(
    '[error.invalid-request] [error.pointers] $name with a query that it does not know',
    async ({ name, operation }) => {
      const { input, as } = await makeValidCall(name, fixture, f);
      const answer = await callOperation(
        app.url,
        operation,
        { ...input, query: { ...input.query, 'a/b': 'x', nonsense: 1 } },
        as,
      );
      expect(answer).toMatchObject(buildProblem(400, 'invalid_request'));
      expect(listPointers(answer)).toEqual(['/query/a~1b', '/query/nonsense']);
    },
  );

  it('[error.pointers] names every fault', async () => {
    const thread = (body: object) =>
      f.send('POST', `/api/v1/rooms/${publicRoom}/threads`, { ...as, body });
    const many = await thread({
      title: 'x'.repeat(201),
      kind: 'quarrel',
      tags: ['ok', 'Not Ok', 7],
      visibility: 1,
      more: null,
    });
    expect(many).toMatchObject(buildProblem(400, 'invalid_request'));
    expect([...new Set(listPointers(many))]).toEqual([
      '/body/body',
      '/body/kind',
      '/body/more',
      '/body/tags/1',
      '/body/tags/2',
      '/body/title',
      '/body/visibility',
    ]);
    for (const { detail } of many.body.errors) expect(detail).toMatch(/^(must|is) /);
    expect(many.body.detail).toMatch(/^\/body\/\S+ .+ \(and \d+ more\)\.$/);
    expect(many.body.errors).toContainEqual({
      pointer: '/body/kind',
      detail: 'must be one of discussion, question, collaboration',
    });
    expect(listPointers(await thread({ title: 'T', body: 'B', tags: ['a', 'a'] }))).toEqual([
      '/body/tags',
    ]);
    expect(listPointers(await f.send('GET', '/api/v1/threads?offset=-1&limit=0&roomId=x'))).toEqual(
      ['/query/limit', '/query/offset', '/query/roomId'],
    );
  });

  it('[error.foreign-reference] refuses a message of another thread', async () => {
    const other = (await f.postMessage(owner, threads.hidden, 'Elsewhere')).id;
    const here = (await f.postMessage(owner, threads.open, 'Here')).id;
    for (const foreign of [other, '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f']) {
      const reply = await f.send('POST', `/api/v1/threads/${threads.open}/messages`, {
        ...as,
        body: { body: 'x', replyToId: foreign },
      });
      expect(reply).toMatchObject(
        buildProblem(400, 'invalid_request', { errors: [{ pointer: '/body/replyToId' }] }),
      );
      const summary = await f.send('PUT', `/api/v1/threads/${threads.open}/summary`, {
        ...as,
        body: { summary: 'x', messageIds: [here, foreign] },
      });
      expect(summary).toMatchObject(
        buildProblem(400, 'invalid_request', { errors: [{ pointer: '/body/messageIds' }] }),
      );
      const page = await f.send(
        'GET',
        `/api/v1/threads/${threads.open}/messages?anchorId=${foreign}`,
        as,
      );
      expect(page).toMatchObject(
        buildProblem(400, 'invalid_request', { errors: [{ pointer: '/query/anchorId' }] }),
      );
    }
    expect((await f.ok('GET', `/api/v1/threads/${threads.open}`)).summary).toBeNull();
  });
});

describe('not_found', () => {
  const nowhere = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
  const callers = [{}, { key: outsider.key }, { key: removed.key }, { admin: true }];
  type Case = readonly [
    what: string,
    method: string,
    path: (id: string) => string,
    hidden: string,
    body?: object,
  ];
  const cases: readonly Case[] = [
    ['a room', 'GET', (id) => `/rooms/${id}`, privateRoom],
    ['its members', 'GET', (id) => `/rooms/${id}/members`, privateRoom],
    ['joining it', 'POST', (id) => `/rooms/${id}/join`, privateRoom],
    ['inviting into it', 'POST', (id) => `/rooms/${id}/invitations`, privateRoom],
    ['revoking in it', 'DELETE', (id) => `/rooms/${id}/invitations/${nowhere}`, privateRoom],
    ['removing from it', 'DELETE', (id) => `/rooms/${id}/members/${member.id}`, privateRoom],
    [
      'a thread in it',
      'POST',
      (id) => `/rooms/${id}/threads`,
      privateRoom,
      { title: 'T', body: 'B' },
    ],
    ...[threads.hidden, threads.membersOnly].flatMap((hidden): Case[] => [
      ['a thread', 'GET', (id) => `/threads/${id}`, hidden],
      ['its messages', 'GET', (id) => `/threads/${id}/messages`, hidden],
      ['a page of them', 'GET', (id) => `/threads/${id}/messages?anchorId=${nowhere}`, hidden],
      ['posting in it', 'POST', (id) => `/threads/${id}/messages`, hidden, { body: 'B' }],
      ['its outcome', 'PUT', (id) => `/threads/${id}/summary`, hidden, { summary: 'S' }],
      ['following it', 'PUT', (id) => `/threads/${id}/subscription`, hidden],
      ['leaving it', 'DELETE', (id) => `/threads/${id}/subscription`, hidden],
    ]),
  ];
  const requiresKey = (method: string, path: string) =>
    method !== 'GET' || path.endsWith('/members');
  /** All of an answer but what differs from one request to the next. */
  const toComparable = ({ status, headers, body }: Answer<Json>) => ({
    status,
    body: { ...body, requestId: null },
    headers: [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)),
  });

  it.for(cases)(
    '[error.not-found-identical] %s: %s is the same for what is hidden as for what is not there',
    async ([, method, path, hidden, body]) => {
      for (const as of callers) {
        const send = (id: string) =>
          f.send(method, `/api/v1${path(id)}`, { ...as, ...(body && { body }) });
        const there = await send(hidden);
        const absent = await send(nowhere);
        expect(toComparable(there)).toEqual(toComparable(absent));
        expect(there.headers.get('x-request-id')).not.toBe(absent.headers.get('x-request-id'));
        expect(there.body.code).toBe(
          'key' in as || !requiresKey(method, path(hidden)) ? 'not_found' : 'unauthenticated',
        );
      }
    },
  );

  it('[error.not-found-identical] a key of another, a list of what is hidden', async () => {
    const { id } = await f.createScopedKey(owner, ['forum']);
    const revoke = (key: string) =>
      f.send('DELETE', `/api/v1/me/keys/${key}`, { key: outsider.key });
    expect(toComparable(await revoke(id))).toEqual(toComparable(await revoke(nowhere)));
    const room = await f.createRoom(owner, 'private');
    const list = (roomId: string) => f.send('GET', `/api/v1/threads?roomId=${roomId}`);
    expect(toComparable(await list(room))).toEqual(toComparable(await list(nowhere)));
  });
});

describe('addresses and methods', () => {
  it('[error.routes] an unknown path is not_found', async () => {
    for (const path of [
      '/nothing',
      '/api',
      '/api/v1',
      '/api/v1/',
      '/api/v2/rooms',
      '//api/v1/rooms',
      '/API/v1/rooms',
      '/api/v1/events/head',
    ]) {
      const answer = await call(app.url, 'GET', path);
      expect({ path, answer }).toMatchObject({ path, answer: buildProblem(404, 'not_found') });
    }
  });

  it('[error.routes] a wrong method is method_not_allowed, Allow lists the others', async () => {
    const fillParameters = ({ path }: { readonly path: string }) =>
      path.replace('{service}', 'service').replace(/\{\w+\}/g, publicRoom);
    const matchesPath = (pattern: string, path: string) =>
      new RegExp(`^${pattern.replace('{service}', 'service').replace(/\{\w+\}/g, '[^/]+')}$`).test(
        path,
      );
    // What fits two patterns takes the methods of both: "rotate" could be the id of a key.
    const listMethods = (path: string) =>
      registry
        .filter((one) => matchesPath(one.path, path))
        .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const paths = new Map(
      registry.map((one) => [
        fillParameters(one),
        new Set(['OPTIONS', ...listMethods(fillParameters(one))]),
      ]),
    );
    for (const [path, methods] of paths) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].filter(
        (one) => !methods.has(one),
      )) {
        const answer = await call(app.url, method, path, as);
        expect({ path, method, answer }).toMatchObject({
          path,
          method,
          answer: buildProblem(405, 'method_not_allowed'),
        });
        expect(answer.headers.get('allow')?.split(', ').sort()).toEqual([...methods].sort());
      }
    }
  });

  it('[error.routes] a body that is not JSON is unsupported_media_type', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'text/json',
      '',
    ]) {
      const answer = await f.send('POST', '/api/v1/rooms', {
        ...as,
        raw: '{"name":"x"}',
        headers: { 'content-type': type },
      });
      expect({ type, answer }).toMatchObject({
        type,
        answer: buildProblem(415, 'unsupported_media_type'),
      });
    }
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON;charset=UTF-8',
    ]) {
      expect(
        await f.sendForOutcome('POST', '/api/v1/rooms', {
          ...as,
          raw: '{"name":"x"}',
          headers: { 'content-type': type },
        }),
      ).toBe('200');
    }
  });
});
