import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { type AnyOperation, isMutation } from '../../src/kernel/operation/any-operation.ts';
import { listErrorCodes } from '../../src/kernel/operation/error-codes.ts';
import { callTool, listAllTools, toArguments, toHeaders } from '../edges/mcp/mcp-client.ts';
import { allFeaturesOn } from '../support/all-features-on.ts';
import { startApp } from '../support/app.ts';
import { type Answer, factories, type Json, waitUntil } from '../support/factories.ts';
import { createCallCache, getCase, makeValidCall } from './cases.ts';
import { callOperation, createFixture, registry } from './fixture.ts';
import { createFixturePool } from './fixture-pool.ts';
import { watchChanges } from './row-changes.ts';

const app = await startApp(
  { ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' },
  { manualJobs: true },
);
const f = factories(app);
await watchChanges(app);
/** Changes that calls committed, without what happens to receipts later in the background. */
const changes = {
  getLatest: async () =>
    (
      await app.app.env.db.first<{ latest: number }>(sql`
        SELECT max(id) AS latest
        FROM written
        WHERE name !~ '^(log_|portable_(recipients|queue|signatures)|signing_)'
      `)
    )?.latest,
};
const getFixture = createFixturePool(f);
const sharedFixture = await createFixture(f);
const getSharedCall = createCallCache(sharedFixture, f);
const listedTools: Json[] = await listAllTools(app.url);
const findListing = (tool: string) => listedTools.find(({ name }) => name === tool);
const ajv = new Ajv2020({ strict: false, validateFormats: false });

const tools = registry.filter(({ tool }) => tool !== undefined && findListing(tool) !== undefined);
const namedTools = tools.map((operation) => ({
  name: operation.name,
  tool: operation.tool ?? '',
  operation,
}));
const reads = namedTools.filter(
  ({ operation }) => operation.method === 'GET' && operation.kind === 'call',
);
const mutations = namedTools.filter(({ operation }) => isMutation(operation));

const ownMembers = new Set([
  'hasMore',
  'nextOffset',
  'nextBefore',
  'nextBeforeAt',
  'nextCursor',
  'readOn',
  'spent',
]);
/** The members of a result that only tools have, although some answers have one of that name. */
const pickOwnMembers = (structured: Json) =>
  Object.fromEntries(Object.entries(structured).filter(([name]) => ownMembers.has(name)));

/** The body of a REST answer as structured content of a tool. */
const toStructured = (body: Json, tool: string) => {
  const { properties } = findListing(tool).outputSchema;
  const { untrusted } = tools.find((one) => one.tool === tool) as Json;
  const mark = untrusted ? { contentTrust: 'untrusted' } : {};
  if (Array.isArray(body)) return { ...mark, items: body };
  return { ...mark, ...('item' in (properties ?? {}) ? { item: body } : body) };
};

function expectFits(tool: string, result: Json): void {
  expect(result.isError, JSON.stringify(result.structuredContent)).toBeUndefined();
  expect(
    ajv.validate(findListing(tool).outputSchema, result.structuredContent),
    ajv.errorsText(),
  ).toBe(true);
  const { contentTrust: _trust, ...structured } = result.structuredContent;
  const [{ text }] = result.content;
  const fenced = /^(?:.*\n)+?<(untrusted-[0-9a-f]{24})>\n([\s\S]*)\n<\/\1>$/.exec(text);
  const { untrusted, toText } = tools.find((one) => one.tool === tool) as Json;
  const shown = fenced?.[2] ?? text.replace(/^There is more\..*\n/, '');
  // An operation may have a form for models that is shorter than JSON.
  if (toText && !shown.startsWith('{')) expect(shown).toBe(toText(structured));
  else {
    // Where an answer says how long it is, each copy says so of itself.
    const { spent: _spent, ...saidInText } = JSON.parse(shown);
    expect({ ...pickOwnMembers(structured), ...saidInText }).toEqual(structured);
  }
  expect({
    fenced: fenced !== null,
    mark: result._meta?.contentTrust,
    first: Object.entries(result.structuredContent)[0]?.join(' ') === 'contentTrust untrusted',
  }).toEqual(
    untrusted
      ? { fenced: true, mark: 'untrusted', first: true }
      : { fenced: false, mark: undefined, first: false },
  );
}

describe('a read', () => {
  it.for(reads)(
    '[mcp.same-answer] [mcp.trust] $name answers over MCP as over REST',
    async ({ name, tool, operation }) => {
      const { input, as } = await getSharedCall(name);
      const query = { ...input.query, budget: 24_000 };
      const readOverRest = () => callOperation(app.url, operation, { ...input, query }, as);
      let result: Json;
      let rest = await readOverRest();
      // What was done before may still be on its way into a list, and arrive between the two.
      await waitUntil('both answers are of one moment', async () => {
        const before = rest.text;
        result = await callTool(app.url, tool, toArguments(operation, input), toHeaders(as));
        rest = await readOverRest();
        return rest.text === before;
      });
      expectFits(tool, result);
      expect(result.structuredContent).toEqual({
        ...pickOwnMembers(result.structuredContent),
        ...toStructured(rest.body, tool),
        ...(rest.body?.spent !== undefined && { spent: result.structuredContent.spent }),
      });
      expect(result._meta?.contentTrust ?? null).toBe(rest.headers.get('x-content-trust'));
      expect(result._meta?.totalCount?.toString() ?? null).toBe(rest.headers.get('x-total-count'));
    },
  );
});

/** A caller that has revoked its own key is refused from then on, over both. */
const endsOwnKey = (name: string) => getCase(name).endsKey === 'revoked';
const pickComparable = (answer: Answer<Json>) => ({
  status: answer.status,
  replayed: answer.headers.get('idempotency-replayed'),
});

describe('a mutation', () => {
  it.for(mutations)(
    '[mcp.idempotency] [mcp.same-answer] $name that is repeated over REST happens once',
    async ({ name, tool, operation }) => {
      const { input, as } = await makeValidCall(name, await getFixture(name), f);
      const key = randomUUID();
      const result = await callTool(
        app.url,
        tool,
        toArguments(operation, input, key),
        toHeaders(as),
      );
      expectFits(tool, result);
      expect(result._meta?.idempotencyReplayed).toBeUndefined();
      const before = await changes.getLatest();
      const repeated = await callOperation(app.url, operation, input, { ...as, idem: key });
      if (endsOwnKey(name)) expect(repeated.body.code).toBe('invalid_credential');
      else
        expect({
          ...pickComparable(repeated),
          content: toStructured(repeated.body, tool),
        }).toEqual({ status: 200, replayed: 'true', content: result.structuredContent });
      expect(await changes.getLatest()).toBe(before);
    },
  );

  it.for(mutations)(
    '[mcp.idempotency] $name that began over REST happens once',
    async ({ name, tool, operation }) => {
      const { input, as, other } = await makeValidCall(name, await getFixture(name), f);
      const key = randomUUID();
      const first = await callOperation(app.url, operation, input, { ...as, idem: key });
      expect(pickComparable(first)).toEqual({ status: 200, replayed: null });
      const before = await changes.getLatest();
      const repeated = await callTool(
        app.url,
        tool,
        toArguments(operation, input, key),
        toHeaders(as),
      );
      if (endsOwnKey(name))
        return expect(repeated.structuredContent.code).toBe('invalid_credential');
      expectFits(tool, repeated);
      expect({
        structuredContent: repeated.structuredContent,
        idempotencyReplayed: repeated._meta.idempotencyReplayed,
      }).toEqual({
        structuredContent: toStructured(first.body, tool),
        idempotencyReplayed: true,
      });
      if (other) {
        const reused = await callTool(
          app.url,
          tool,
          toArguments(operation, other, key),
          toHeaders(as),
        );
        expect(reused.structuredContent.code).toBe('idempotency_key_reused');
      }
      expect(await changes.getLatest()).toBe(before);
    },
  );
});

const createIdempotencyKey = (operation: AnyOperation) =>
  isMutation(operation) ? randomUUID() : undefined;

/** The problem of a tool beside that of REST: all but the words. */
function expectSameProblem(result: Json, rest: Answer<Json>): void {
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
  it.for(namedTools)(
    '[mcp.same-error] [mcp.no-key] [mcp.key] $name refuses a wrong credential or none alike',
    async ({ name, tool, operation }) => {
      const { input, as } = await getSharedCall(name);
      const given = toArguments(operation, input, createIdempotencyKey(operation));
      const before = await changes.getLatest();
      if (operation.auth !== 'public') {
        const result = await callTool(app.url, tool, given);
        expectSameProblem(result, await callOperation(app.url, operation, input));
        if (operation.auth === 'agent')
          expect(result.structuredContent).toMatchObject({
            code: 'unauthenticated',
            detail: expect.stringContaining('register_agent'),
          });
      }
      const wrong: Record<string, string> =
        operation.auth === 'context' ? { 'x-context-key': 'wrong' } : { 'x-api-key': 'wrong' };
      const refused = await callTool(app.url, tool, given, { ...toHeaders(as), ...wrong });
      expect(refused.structuredContent.code).toBe('invalid_credential');
      expectSameProblem(
        refused,
        await callOperation(app.url, operation, input, { ...as, headers: wrong }),
      );
      expect(await changes.getLatest()).toBe(before);
    },
  );

  it.for(namedTools)(
    '[mcp.hostile] [mcp.same-error] $name refuses arguments that do not fit',
    async ({ name, tool, operation }) => {
      const { input, as } = await getSharedCall(name);
      const given = toArguments(operation, input, createIdempotencyKey(operation));
      const before = await changes.getLatest();
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
        const result = await callTool(app.url, tool, one, toHeaders(as));
        codes.push(result.structuredContent?.code ?? result);
        for (const { pointer } of result.structuredContent?.errors ?? [])
          expect(pointer).toMatch(/^\/arguments/);
      }
      expect(new Set(codes)).toEqual(new Set(['invalid_request']));
      expect(await changes.getLatest()).toBe(before);
    },
  );

  const refusals = namedTools.flatMap(({ name, operation }) => {
    const declared: readonly string[] = listErrorCodes(operation);
    return (
      Object.entries(getCase(name).errors ?? {})
        .filter(([code]) => declared.includes(code))
        // A range is a header over REST: mcp.test.ts.
        .filter(([code]) => code !== 'range_not_satisfiable')
        .map(([code, makeErrorCase]) => ({ name, operation, code, makeErrorCase }))
    );
  });

  it.for(refusals)(
    '[mcp.same-error] $name answers $code over MCP as over REST',
    async ({ operation, code, makeErrorCase }) => {
      const { input, as, url = app.url } = await makeErrorCase({ app, f, fixture: sharedFixture });
      if (as.raw !== undefined || as.admin) return;
      const rest = await callOperation(url, operation, input, as);
      expect(rest.body.code).toBe(code);
      const result = await callTool(
        url,
        operation.tool ?? '',
        toArguments(operation, input, createIdempotencyKey(operation)),
        toHeaders(as),
      );
      expectSameProblem(result, rest);
    },
  );
});
