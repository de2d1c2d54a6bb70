import { describe, expect, it } from 'vitest';
import { allFeaturesOn } from '../support/all-features-on.ts';
import { startApp } from '../support/app.ts';
import { type Answer, call, factories, type Json } from '../support/factories.ts';
import { findOpenApiMismatch } from '../support/openapi-mismatch.ts';
import { makeValidCall } from './cases.ts';
import { callOperation, registry } from './fixture.ts';
import { createFixturePool } from './fixture-pool.ts';

const app = await startApp({
  ...(await allFeaturesOn()),
  SELF_SERVICE_ACTIVATION: 'on',
  RATE_LIMITS: 'on',
});
const f = factories(app);

describe('the OpenAPI document of a running service', () => {
  it('[openapi.version] is OpenAPI 3.1.1 with its REST paths under /api/v1', async () => {
    const { openapi, paths, servers } = await f.ok('GET', '/openapi.json');
    expect(openapi).toBe('3.1.1');
    // Pages, documents and texts stand where people and programs look for them; data that is not
    // under /api/v1 has its place from elsewhere.
    const answersData = (methods: Json) =>
      Object.values<Json>(methods).some(
        ({ responses }) => responses[200].content['application/json'],
      );
    const beside = Object.keys(paths).filter(
      (path) => !path.startsWith('/api/v1/') && answersData(paths[path]),
    );
    expect(beside.sort()).toEqual([
      '/.well-known/agent-skills/index.json',
      '/.well-known/stoa-jwks.json',
      '/.well-known/stoa.json',
      '/e/{id}.json',
      '/openapi.json',
    ]);
    expect(servers[0].url).toBe(app.url);
  });

  it('[openapi.complete] has what is routed, and what it has is routed', async () => {
    const { paths } = await f.ok('GET', '/openapi.json');
    const documented = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    // The router calls a parameter with slashes in it by another name, and lists its path by that
    // alone.
    const rest = '/log/tile/{level}/{index}';
    const restRouted = '/log/tile/{level}/*';
    const hasRoute = (method: string, path: string) =>
      app.app.http.hasRoute({
        method,
        url: path.replace(rest, restRouted).replace(/\{(\w+)\}/g, ':$1'),
      } as Parameters<typeof app.app.http.hasRoute>[0]);
    for (const one of documented)
      expect(hasRoute(...(one.split(' ') as [string, string])), one).toBe(true);
    // Fastify's own list of what it routes.
    const listed = app.app.http.printRoutes({ commonPrefix: false }).split('\n');
    const lines = listed.flatMap((line) => {
      const [, indent = '', path = '', methods] =
        /^([│ ]*)[├└]── (\S*)(?: \(([^)]*)\))?/.exec(line) ?? [];
      return path === ''
        ? []
        : [{ depth: indent.length / 4, path, methods: methods?.split(', ') ?? [] }];
    });
    const found: string[] = [];
    const way: string[] = [];
    for (const { depth, path, methods } of lines) {
      way.splice(depth, way.length, path);
      const whole = path === '*' ? rest : way.join('').replace(/:(\w+)/g, '{$1}');
      for (const method of methods)
        if (!['HEAD', 'OPTIONS'].includes(method)) found.push(`${method} ${whole}`);
    }
    // The documents of sign-in describe its endpoints, as RFC 8414 and RFC 9728 have it.
    const beside = [
      'GET /.well-known/oauth-authorization-server',
      'GET /.well-known/oauth-protected-resource',
      'GET /.well-known/oauth-protected-resource/mcp/sign-in',
      'GET /oauth/authorize',
      'POST /mcp/sign-in',
      'POST /oauth/authorize',
      'POST /oauth/register',
      'POST /oauth/revoke',
      'POST /oauth/token',
      'GET /.well-known/service.json',
      'GET /.well-known/service-jwks.json',
      'GET /healthz',
      'GET /metrics',
      'GET /readyz',
      'POST /mcp',
      'POST /mcp/readonly',
      'POST /mcp/x/{set}',
    ];
    expect(found.sort()).toEqual([...documented, ...beside].sort());
  });
});

describe('what tests see', async () => {
  const unlimited = factories(await app.startNode({ RATE_LIMITS: 'off' }));
  const getFixture = createFixturePool(unlimited);

  it('[openapi.itself] [openapi.truth] of the document is what it says of itself', async () => {
    // `call` holds these to it.
    const { status, headers } = await f.send('GET', '/openapi.json');
    const again = await f.send('GET', '/openapi.json', {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect({ first: status, again: again.status }).toEqual({ first: 200, again: 304 });
    expect((await call(app.url, 'HEAD', '/openapi.json')).status).toBe(200);
  });

  it.for(registry.map((operation) => ({ name: operation.name, operation })))(
    '[openapi.truth] $name answers as the document says',
    async ({ name, operation }) => {
      // `call` itself holds every answer of every test to the document; here each operation is
      // called once at least.
      const { input, as } = await makeValidCall(name, await getFixture(name), unlimited);
      if (operation.kind === 'call')
        expect(
          (await callOperation(app.url, operation, { ...input, query: { nonsense: 1 } }, as))
            .status,
        ).toBe(400);
      expect((await callOperation(app.url, operation, input, as)).status).toBe(200);
    },
  );

  const path = '/api/v1/rooms';
  const findMismatch = (answer: Answer<Json>, more: object = {}) =>
    findOpenApiMismatch({ method: 'GET', path, ...answer, ...more });
  const body = (text: object) => ({ text: JSON.stringify(text) });

  it('[openapi.truth] is compared: what differs is found', async () => {
    const owner = await f.createAgent();
    await f.createRoom(owner, 'public');
    const list = await call(app.url, 'GET', path);
    const [row] = list.body;
    const { name: _, ...nameless } = row;
    const headers = (more: Record<string, string>) => ({
      headers: new Headers({ ...Object.fromEntries(list.headers), ...more }),
    });
    expect(findMismatch(list)).toBeUndefined();
    expect(findMismatch(list, { status: 201 })).toContain('does not know');
    expect(findMismatch(list, body([nameless]))).toContain("must have required property 'name'");
    expect(findMismatch(list, body([{ ...row, extra: 1 }]))).toContain(
      'must NOT have additional properties',
    );
    expect(findMismatch(list, body([{ ...row, memberCount: '1' }]))).toContain('must be integer');
    expect(findMismatch(list, headers({ 'content-type': 'text/html' }))).toContain('as text/html');
    expect(findMismatch(list, headers({ 'x-total-count': 'many' }))).toContain(
      'X-Total-Count: many',
    );
    expect(findMismatch(list, headers({ 'retry-after': '1' }))).toContain('undocumented');
    const no = await call(app.url, 'GET', `${path}?limit=0`);
    expect(findMismatch(no)).toBeUndefined();
    expect(findMismatch(no, body({ ...no.body, code: 'gone' }))).toContain(
      'must be equal to one of the allowed values',
    );
    expect(findMismatch(no, body({ ...no.body, errors: ['x'] }))).toContain('must be object');
  });
});
