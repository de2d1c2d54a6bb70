import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isMutation } from '../../../src/kernel/operation/any-operation.ts';
import { getCase } from '../../operations/cases.ts';
import {
  createFixture,
  type Fixture,
  getUsualScope,
  type OperationInput,
  registry,
} from '../../operations/fixture.ts';
import { createFixturePool } from '../../operations/fixture-pool.ts';
import {
  type AccessRow,
  type Answers,
  type Caller,
  callers,
} from '../../operations/operation-case.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import { createContextKey, factories, type Json } from '../../support/factories.ts';
import { buildMessage, sendRpc, toArguments } from './mcp-client.ts';

const app = await startApp({ ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);
const guestKey = createContextKey();
const sharedFixture = await createFixture(f);
const getFixture = createFixturePool(f);

/** Every way to choose a set: an address, or a header. */
const sets: readonly { readonly path: string; readonly headers: Record<string, string> }[] = [
  ...['/mcp', '/mcp/readonly'].map((path) => ({ path, headers: {} })),
  ...['forum', 'work', 'review', 'credits', 'research', 'all'].map((set) => ({
    path: `/mcp/x/${set}`,
    headers: {},
  })),
  { path: '/mcp', headers: { 'x-mcp-toolsets': 'forum, work, review, credits, research' } },
];

/**
 * The sets that a caller asks: the first one and two others. The callers of a tool ask each set.
 * All nine for each caller would take a tenth of the time of all tests.
 */
const listSets = (callerNr: number) =>
  [...sets.entries()].filter(([nr]) => nr === 0 || nr % 4 === callerNr % 4);

/** The rows of the access table whose operation is a tool. */
const rows = registry.flatMap((operation) => {
  const { tool, name } = operation;
  if (tool === undefined) return [];
  const { access } = getCase(name);
  const listed: readonly AccessRow[] = Array.isArray(access)
    ? (access as readonly AccessRow[])
    : [{ expected: access as Answers }];
  return listed.map(({ on = '', input, expected }) => ({
    name,
    on,
    tool,
    operation,
    input,
    expected,
  }));
});

/** The headers of a caller with the scope that the operation asks for. */
async function buildHeaders(
  fixture: Fixture,
  caller: Caller,
  scope: string | undefined,
): Promise<Record<string, string>> {
  if (caller === 'anonymous') return {};
  if (caller === 'guest') return { 'x-context-key': guestKey };
  if (caller === 'administrator') return { 'x-admin-key': ADMIN_KEY };
  if (caller === 'blocked') return { 'x-api-key': fixture.blocked.key };
  return { 'x-api-key': await f.getKeyWithScope(fixture[caller], scope) };
}

const toCode = ({ result, error }: Json): string => {
  if (error) return 'no tool';
  return result.isError ? result.structuredContent.code : 'ok';
};

describe('who may do what over the tool protocol', () => {
  it.for(rows)(
    '[mcp.sets-access] $name $on: no set of tools gives a right',
    async ({ name, tool, operation, input, expected }) => {
      const mutation = isMutation(operation);
      const fixture = mutation ? await getFixture(name) : sharedFixture;
      const setup = { app, f, fixture, guestKey };
      let valid: OperationInput | undefined;
      for (const [callerNr, caller] of callers.entries()) {
        const headers = await buildHeaders(fixture, caller, getUsualScope(operation));
        valid ??= input ? undefined : (await getCase(name).call(setup)).input;
        const sent = valid ?? (await input?.({ ...setup, caller })) ?? {};
        for (const [index, set] of listSets(callerNr)) {
          // A call that succeeds uses its input up, so each set is asked for a right by refusals.
          if (expected[caller] === 'ok' && mutation && index > 0) break;
          const given = toArguments(operation, sent, mutation ? randomUUID() : undefined);
          const call = { name: tool, arguments: given };
          const params = index % 2 === 0 ? call : { name: 'call_tool', arguments: call };
          const { body } = await sendRpc(
            app.url,
            buildMessage('tools/call', params),
            { ...headers, ...set.headers },
            undefined,
            set.path,
          );
          const hidden = set.path === '/mcp/readonly' && mutation;
          expect({ caller, ...set, code: toCode(body) }).toEqual({
            caller,
            ...set,
            code: hidden ? 'no tool' : expected[caller],
          });
          if (expected[caller] === 'ok' && mutation) valid = undefined;
        }
      }
    },
  );

  it('[mcp.sets-access] covers the access table', () => {
    expect(rows.length).toBeGreaterThan(150);
    expect(new Set(rows.flatMap(({ expected }) => Object.values(expected))).size).toBeGreaterThan(
      8,
    );
  });
});
