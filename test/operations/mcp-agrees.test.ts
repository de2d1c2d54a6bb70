import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { type AnyOperation, isMutation } from '../../src/kernel/operation/any-operation.ts';
import { codesOf } from '../../src/kernel/operation/error-codes.ts';
import { startApp } from '../support/app.ts';
import { validCall } from '../calls.ts';
import { watchChanges } from './row-changes.ts';
import { everythingOn } from '../everything.ts';
import { type Answer, factories, type Loose, until } from '../support/factories.ts';
import { argumentsOf, callTool, headersOf, message, rpc } from '../edges/mcp/mcp-client.ts';
import { provocations } from '../provocations.ts';
import { ask, createWorld, operationOf, registry, worldsOf } from './fixture.ts';

const app = await startApp(
  { ...(await everythingOn()), SELF_SERVICE_ACTIVATION: 'on' },
  { jobsByHand: true },
);
const f = factories(app);
await watchChanges(app);
/** Rows that calls wrote; what happens to acts later, in the background, is none of it. */
const changes = {
  count: async () =>
    (
      await app.app.env.db.first<{ n: number }>(
        sql`SELECT count(*) AS n FROM written WHERE name !~ '^(log_|portable_(recipients|queue|signatures)|signing_)'`,
      )
    )?.n,
};
const worldFor = worldsOf(f);
const still = await createWorld(f);
const listed: Loose[] = (await rpc(app.url, message('tools/list'))).body.result.tools;
const listingOf = (tool: string) => listed.find(({ name }) => name === tool);
const ajv = new Ajv2020({ strict: false, validateFormats: false });

const tools = registry.filter(({ tool }) => tool !== undefined && listingOf(tool) !== undefined);
const named = tools.map((operation) => ({
  name: operation.name,
  tool: operation.tool ?? '',
  operation,
}));
const reads = named.filter(
  ({ operation }) => operation.method === 'GET' && operation.kind === 'call',
);
const mutations = named.filter(({ operation }) => isMutation(operation));

/** The REST body as structured content. */
const structured = (body: Loose, tool: string) => {
  const { properties, required } = listingOf(tool).outputSchema;
  if (Array.isArray(body)) return { items: body };
  return required?.length === 1 && 'item' in properties ? { item: body } : body;
};

function expectFits(tool: string, result: Loose): void {
  expect(result.isError, JSON.stringify(result.structuredContent)).toBeUndefined();
  expect(
    ajv.validate(listingOf(tool).outputSchema, result.structuredContent),
    ajv.errorsText(),
  ).toBe(true);
  const [{ text }] = result.content;
  const fenced = /^.*\n<(untrusted-[0-9a-f]{24})>\n([\s\S]*)\n<\/\1>$/.exec(text);
  expect(JSON.parse(fenced?.[2] ?? text)).toEqual(result.structuredContent);
  const { untrusted } = tools.find((one) => one.tool === tool) as Loose;
  expect([fenced !== null, result._meta?.contentTrust], 'the trust mark').toEqual(
    untrusted ? [true, 'untrusted'] : [false, undefined],
  );
}

describe('a read', () => {
  it.for(reads)(
    '[mcp.same-answer] [mcp.trust] $tool answers as REST does',
    async ({ name, tool, operation }) => {
      const { input, as } = await validCall(name, still, f);
      let [result, rest]: [Loose, Answer<Loose>] = [
        undefined,
        await ask(app.url, operation, input, as),
      ];
      // What was done before may be on its way into a list still, and arrive between the two.
      await until('both answers are of one moment', async () => {
        const before = rest.text;
        result = await callTool(app.url, tool, argumentsOf(operation, input), headersOf(as));
        rest = await ask(app.url, operation, input, as);
        return rest.text === before;
      });
      expectFits(tool, result);
      expect(result.structuredContent).toEqual(structured(rest.body, tool));
      expect(result._meta?.contentTrust ?? null).toBe(rest.headers.get('x-content-trust'));
      expect(result._meta?.totalCount?.toString() ?? null).toBe(rest.headers.get('x-total-count'));
    },
  );
});

/** Who revokes its own key is refused from then on, over both. */
const ends = (name: string) => name === 'revokeCurrentKey';
const same = (answer: Answer<Loose>) => [answer.status, answer.headers.get('idempotency-replayed')];

describe('a mutation', () => {
  it.for(mutations)(
    '[mcp.idempotency] [mcp.same-answer] $tool that is repeated over REST happens once',
    async ({ name, tool, operation }) => {
      const { input, as } = await validCall(name, await worldFor(name), f);
      const key = randomUUID();
      const result = await callTool(
        app.url,
        tool,
        argumentsOf(operation, input, key),
        headersOf(as),
      );
      expectFits(tool, result);
      expect(result._meta?.idempotencyReplayed).toBeUndefined();
      const before = await changes.count();
      const repeated = await ask(app.url, operation, input, { ...as, idem: key });
      if (ends(name)) expect(repeated.body.code).toBe('invalid_credential');
      else
        expect([...same(repeated), structured(repeated.body, tool)]).toEqual([
          200,
          'true',
          result.structuredContent,
        ]);
      expect(await changes.count()).toBe(before);
    },
  );

  it.for(mutations)(
    '[mcp.idempotency] $tool that began over REST happens once',
    async ({ name, tool, operation }) => {
      const { input, as, other } = await validCall(name, await worldFor(name), f);
      const key = randomUUID();
      const first = await ask(app.url, operation, input, { ...as, idem: key });
      expect(same(first)).toEqual([200, null]);
      const before = await changes.count();
      const repeated = await callTool(
        app.url,
        tool,
        argumentsOf(operation, input, key),
        headersOf(as),
      );
      if (ends(name)) return expect(repeated.structuredContent.code).toBe('invalid_credential');
      expectFits(tool, repeated);
      expect([repeated.structuredContent, repeated._meta.idempotencyReplayed]).toEqual([
        structured(first.body, tool),
        true,
      ]);
      if (other) {
        const reused = await callTool(
          app.url,
          tool,
          argumentsOf(operation, other, key),
          headersOf(as),
        );
        expect(reused.structuredContent.code).toBe('idempotency_key_reused');
      }
      expect(await changes.count()).toBe(before);
    },
  );
});

const keyFor = (operation: AnyOperation) => (isMutation(operation) ? randomUUID() : undefined);

/** The problem of a tool beside that of REST: all but the words. */
function expectSameProblem(result: Loose, rest: Answer<Loose>): void {
  expect(result.isError, JSON.stringify([result, rest.body])).toBe(true);
  const { requestId, detail, errors, ...problem } = result.structuredContent;
  const { requestId: _, detail: sentence, errors: faults, ...expected } = rest.body;
  expect(problem).toEqual(expected);
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
  expect(requestId).toMatch(/^[\w.-]{1,64}$/);
  expect(errors?.length).toBe(faults?.length);
  for (const { pointer } of errors ?? []) expect(pointer).toMatch(/^\/arguments/);
  expect(detail).not.toMatch(/\/(path|query|body)\b/);
  if (!/\/api\/v1|Idempotency-Key|^\/(path|query|body)/.test(sentence))
    expect(detail).toBe(sentence);
}

describe('a refusal', () => {
  it.for(named)(
    '[mcp.same-error] [mcp.no-key] [mcp.key] $tool: of the credential',
    async ({ name, tool, operation }) => {
      const { input, as } = await validCall(name, still, f);
      const given = argumentsOf(operation, input, keyFor(operation));
      const before = await changes.count();
      if (operation.auth !== 'public') {
        const result = await callTool(app.url, tool, given);
        expectSameProblem(result, await ask(app.url, operation, input));
        if (operation.auth === 'agent')
          expect(result.structuredContent).toMatchObject({
            code: 'unauthenticated',
            detail: expect.stringContaining('register_agent'),
          });
      }
      const wrong: Record<string, string> =
        operation.auth === 'context' ? { 'x-context-key': 'wrong' } : { 'x-api-key': 'wrong' };
      const refused = await callTool(app.url, tool, given, { ...headersOf(as), ...wrong });
      expect(refused.structuredContent.code).toBe('invalid_credential');
      expectSameProblem(refused, await ask(app.url, operation, input, { ...as, headers: wrong }));
      expect(await changes.count()).toBe(before);
    },
  );

  it.for(named)(
    '[mcp.hostile] [mcp.same-error] $tool: of arguments that do not fit',
    async ({ name, tool, operation }) => {
      const { input, as } = await validCall(name, still, f);
      const given = argumentsOf(operation, input, keyFor(operation));
      const before = await changes.count();
      const codes: unknown[] = [];
      const strange = JSON.parse('{"__proto__": {"visibility": "public"}}');
      const wrong = Object.keys(given).filter((one) => one !== 'value');
      const spoiled = [
        ...wrong.map((one) => ({ ...given, [one]: { nested: [] } })),
        ...['nobody', 'constructor', 'path', '/', "$& $' $1"].map((one) => ({
          ...given,
          [one]: 'x',
        })),
        { ...given, ...Object.fromEntries([['__proto__', strange]]) },
        ...wrong
          .filter((one) => typeof given[one] === 'string')
          .flatMap((one) =>
            [`${given[one]}\0`, `${given[one]}\ud800`].map((text) => ({ ...given, [one]: text })),
          ),
      ];
      for (const one of spoiled) {
        const result = await callTool(app.url, tool, one, headersOf(as));
        codes.push(result.structuredContent?.code ?? result);
        for (const { pointer } of result.structuredContent?.errors ?? [])
          expect(pointer).toMatch(/^\/arguments/);
      }
      expect(new Set(codes)).toEqual(new Set(['invalid_request']));
      expect(await changes.count()).toBe(before);
    },
  );

  const cases = Object.entries(provocations as Loose)
    .flatMap(([name, codes]) =>
      Object.entries<Loose>(codes as object).map(([code, provoke]) => ({ name, code, provoke })),
    )
    .filter(
      ({ name, code }) =>
        named.some((one) => one.name === name) &&
        codesOf(operationOf(name)).some((one) => one === code),
    )
    // A range is a header over REST: mcp.test.ts.
    .filter(({ code }) => code !== 'range_not_satisfiable');

  it.for(cases)('[mcp.same-error] $name: $code', async ({ name, code, provoke }) => {
    const operation = operationOf(name);
    const { input, as, url = app.url } = await provoke({ app, f, world: still });
    if (as.raw !== undefined || as.admin) return;
    const rest = await ask(url, operation, input, as);
    expect(rest.body.code).toBe(code);
    const result = await callTool(
      url,
      operation.tool ?? '',
      argumentsOf(operation, input, keyFor(operation)),
      headersOf(as),
    );
    expectSameProblem(result, rest);
  });
});
