import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { buildRoutesSource } from '../../scripts/clients/build-routes-source.ts';
import { createHttp } from '../../src/http/http-server.ts';
import { createMetrics } from '../../src/http/metrics/prometheus-metrics.ts';
import { buildOpenApiDocument } from '../../src/http/openapi.ts';
import { fail } from '../../src/kernel/errors.ts';
import { operation } from '../../src/kernel/operation/operation.ts';
import { Closed, Int, Uuid } from '../../src/kernel/schema/schema.ts';
import { allFeaturesOn } from '../support/all-features-on.ts';
import { startApp } from '../support/app.ts';
import { buildProblem, factories } from '../support/factories.ts';
import { getCase, makeValidCall, mergeCases } from './cases.ts';
import { callOperation, createFixture, digestTables, registry } from './fixture.ts';

const app = await startApp(await allFeaturesOn());
const f = factories(app);
const fixture = await createFixture(f);
const featuresFolder = fileURLToPath(new URL('../../src/features/', import.meta.url));

/** An operation that nobody knows: this declaration is all that there is of it. */
const countThings = operation(
  'countThings',
  {
    method: 'POST',
    path: '/api/v1/things/{id}/count',
    tool: 'count_things',
    tag: 'rooms',
    summary: 'Count things.',
    auth: 'agent',
    scope: 'forum',
    params: Closed({ id: Uuid() }),
    body: Closed({ things: Int(0, 10) }, { title: 'CountRequest' }),
    output: Closed({ id: Uuid(), counted: Int(0, 10) }, { title: 'Count' }),
    errors: ['gone'],
  },
  async ({ newId, agent, record }, { params, body }) => {
    if (body.things === 10) throw fail('gone', 'Too many.');
    if (body.things === 9) throw fail('handle_taken', 'Nobody declared this.');
    record({
      kind: 'message.posted',
      visibility: 'public',
      actorId: agent.id,
      subject: { type: 'message', id: params.id },
      contentSha256: Buffer.alloc(32),
      concernedAgentIds: [],
    });
    return { id: newId(), counted: body.things };
  },
);

const { env, execute } = app.app;
const more = [...registry, countThings] as typeof registry;
const http = createHttp({
  env: {
    ...env,
    openApi: () => JSON.parse(JSON.stringify(buildOpenApiDocument(env.installation, more))),
  },
  execute,
  operations: more,
  log: pino({ level: 'silent' }),
  metrics: createMetrics(env),
  probes: { ready: async () => ({ ready: true }) },
  checkHost: false,
  trustProxy: 0,
  maxUnanswered: 16,
  isStopping: () => false,
});
await http.listen({ port: 0, host: '127.0.0.1' });
const url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
afterAll(() => http.close());

const params = { id: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f' };
const post = (things: unknown, options = {}) =>
  callOperation(url, countThings as never, { params, body: { things } }, options);

describe('an operation', () => {
  it('[registry.one-line] is declared once, in a file of its name', () => {
    const expectUnique = (values: readonly unknown[]) =>
      expect(new Set(values).size).toBe(values.length);
    expectUnique(registry.map(({ name }) => name));
    expectUnique(registry.map(({ method, path }) => `${method} ${path}`));
    const tools = registry.flatMap(({ tool }) => tool ?? []);
    expectUnique(tools);
    for (const tool of tools) expect(tool).toMatch(/^[a-z]+(_[a-z]+)*$/);
    const features = readdirSync(featuresFolder);
    for (const { name } of registry) {
      const file = `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
      const places = features.filter((feature) =>
        existsSync(`${featuresFolder}${feature}/${file}`),
      );
      expect(places, file).toHaveLength(1);
      expect(
        readFileSync(`${featuresFolder}${places[0]}/${file}`, 'utf8').match(
          /= (operation|stream|content|form|page|upload|externalCall)\(\n {2}'(\w+)'/,
        )?.[2],
      ).toBe(name);
    }
  });

  it('[registry.one-line] that is added gets a route with the one pipeline', async () => {
    const { key } = await f.createAgent();
    const done = await post(3, { key, idem: 'once' });
    expect(done).toMatchObject({ status: 200, body: { counted: 3 } });
    const before = await digestTables(app);
    const again = await post(3, { key, idem: 'once' });
    expect({
      text: again.text,
      replayed: again.headers.get('idempotency-replayed'),
    }).toEqual({ text: done.text, replayed: 'true' });
    expect(await post(4, { key, idem: 'once' })).toMatchObject(
      buildProblem(422, 'idempotency_key_reused'),
    );
    expect(await post(3)).toMatchObject(buildProblem(401, 'unauthenticated'));
    expect(await post(3, { key: 'wrong' })).toMatchObject(buildProblem(401, 'invalid_credential'));
    expect(await post('3', { key })).toMatchObject(
      buildProblem(400, 'invalid_request', { errors: [{ pointer: '/body/things' }] }),
    );
    expect(await post(10, { key })).toMatchObject(buildProblem(410, 'gone'));
    // A code that it does not declare is a defect.
    expect(await post(9, { key })).toMatchObject(buildProblem(500, 'internal_error'));
    expect(await digestTables(app)).toEqual(before);
    expect(
      (await factories({ url }).send('GET', '/api/v1/things/x/count')).headers.get('allow'),
    ).toBe('POST, OPTIONS');
  });

  it('[registry.one-line] that is added gets its entry in OpenAPI', async () => {
    const { paths, components } = await factories({ url }).ok('GET', '/openapi.json');
    const entry = paths['/api/v1/things/{id}/count'].post;
    expect(entry).toMatchObject({
      operationId: 'countThings',
      'x-tool': 'count_things',
      summary: 'Count things.',
      security: [{ agentKey: [] }],
    });
    expect(entry.requestBody.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/CountRequest',
    });
    expect(components.schemas.Count.required).toEqual(['id', 'counted']);
    expect(Object.keys(entry.responses)).toEqual(
      expect.arrayContaining(['200', '401', '410', '422', '500']),
    );
    expect(Object.keys((await f.ok('GET', '/openapi.json')).paths)).not.toContain(
      '/api/v1/things/{id}/count',
    );
  });

  it('[registry.one-line] [registry.client] that is added gets its method in the client', () => {
    const line =
      "  countThings: { method: 'POST', path: '/api/v1/things/{id}/count', kind: 'call', " +
      "ids: ['id'] },\n";
    expect(buildRoutesSource(more)).toContain(line);
    // The file of the client is compared with the registry by client/client.test.ts, so that one
    // without the line fails.
    expect(buildRoutesSource(registry)).toBe(
      readFileSync(new URL('../../client/src/generated/routes.ts', import.meta.url), 'utf8'),
    );
  });

  it('[registry.one-line] [registry.generic-tests] that is added needs a case', async () => {
    const buildCases = (names: readonly string[]) => ({
      rooms: Object.fromEntries(names.map((name) => [name, getCase('createRoom')])),
    });
    const named = (...names: string[]) => names.map((name) => ({ name }));
    expect(() => mergeCases(buildCases(['createRoom']), more)).toThrow(
      'The operation countThings has no case: add one to test/features/<feature>/cases.ts',
    );
    expect(() => mergeCases(buildCases(['createRoom']), named('createRoom', 'getThread'))).toThrow(
      'The operation getThread has no case: add one to test/features/threads/cases.ts',
    );
    expect(() => mergeCases(buildCases(['createRoom', 'gone']), named('createRoom'))).toThrow(
      'test/features/rooms/cases.ts has a case of gone, which is no operation',
    );
    await expect(makeValidCall('countThings', fixture, f)).rejects.toThrow('no operation');
    for (const { name } of registry)
      await expect(makeValidCall(name, fixture, f)).resolves.toBeDefined();
  });
});
