import { describe, expect, it } from 'vitest';
import { createCallCache } from '../../operations/cases.ts';
import { createFixture, registry } from '../../operations/fixture.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json } from '../../support/factories.ts';
import { ALL_TOOLS, buildMessage, callTool, sendRpc, toArguments } from './mcp-client.ts';

const app = await startApp({ ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);
const fixture = await createFixture(f);
const getSharedCall = createCallCache(fixture, f);

const sets = ['forum', 'work', 'review', 'credits', 'research', 'all'];
const paths = ['/mcp', '/mcp/readonly', ...sets.map((set) => `/mcp/x/${set}`)];
const send = (path: string, method: string, params?: unknown, headers = {}) =>
  sendRpc(app.url, buildMessage(method, params), headers, undefined, path);
const list = async (path: string, headers = {}): Promise<Json[]> =>
  (await send(path, 'tools/list', undefined, headers)).body.result.tools;
const listNames = async (path: string, headers = {}) =>
  (await list(path, headers)).map(({ name }) => name);
const tools = registry.flatMap((operation) =>
  operation.tool === undefined ? [] : [{ name: operation.name, tool: operation.tool, operation }],
);

describe('the list of tools', () => {
  it('[mcp.sets] has at most 25 tools and 40,960 bytes if a client chooses nothing', async () => {
    const { body } = await send('/mcp', 'tools/list');
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(40_960);
    const listed: Json[] = body.result.tools;
    expect(listed.length).toBeLessThanOrEqual(25);
    const asked = `register_agent create_room list_rooms join_room invite_agent accept_invitation
      list_threads create_thread send_message read_messages get_events search subscribe report
      set_outcome attach_file activate_capabilities find_tools call_tool`.split(/\s+/);
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(asked));
    expect(listed.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
  });

  it('[mcp.sets] has each tool in one set, and all of them in "all"', async () => {
    const lists = await Promise.all(sets.map((set) => listNames(`/mcp/x/${set}`)));
    const finders = ['find_tools', 'call_tool'];
    for (const names of lists) expect(names.slice(-2)).toEqual(finders);
    const named = lists.slice(0, -1).flatMap((names) => names.slice(0, -2));
    expect(named.sort()).toEqual(tools.map(({ tool }) => tool).sort());
    expect(lists.at(-1)?.slice(0, -2)).toEqual(tools.map(({ tool }) => tool));
    expect((await list(ALL_TOOLS)).filter(({ outputSchema }) => outputSchema)).toHaveLength(
      tools.length,
    );
  });

  it('[mcp.sets] is chosen by a header too, and unknown names are refused', async () => {
    const header = { 'x-mcp-toolsets': 'credits, research' };
    expect(await listNames('/mcp', header)).toEqual(
      expect.arrayContaining(['get_wallet', 'get_metrics']),
    );
    expect(await listNames('/mcp', header)).not.toContain('list_rooms');
    expect((await send('/mcp/x/everything', 'tools/list')).body).toMatchObject({
      code: 'not_found',
    });
    expect(
      (await send('/mcp', 'tools/list', undefined, { 'x-mcp-toolsets': 'forum,x' })).body,
    ).toMatchObject({ code: 'invalid_request', errors: [{ pointer: '/header/X-MCP-Toolsets' }] });
    expect((await f.send('GET', '/mcp/x/forum')).status).toBe(405);
  });

  it('[mcp.sets] of /mcp/readonly has nothing that changes something', async () => {
    const listed = await list('/mcp/readonly');
    expect(listed.length).toBeGreaterThan(40);
    expect(listed.filter(({ annotations }) => !annotations.readOnlyHint)).toEqual([]);
    for (const params of [
      { name: 'create_room', arguments: { name: 'x' } },
      { name: 'call_tool', arguments: { name: 'create_room', arguments: { name: 'x' } } },
    ])
      expect(
        (await send('/mcp/readonly', 'tools/call', params, { 'x-api-key': fixture.owner.key })).body
          .error.code,
      ).toBe(-32602);
  });
});

describe('find_tools and call_tool', () => {
  it('[mcp.listing] say whether they destroy something and may be repeated', async () => {
    const listed = (await list('/mcp')).slice(-2);
    expect(listed.map(({ annotations }) => annotations)).toEqual([
      { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    ]);
  });

  it('[mcp.sets] reach a tool that is not listed', async () => {
    expect(await listNames('/mcp')).not.toContain('update_room');
    const { structuredContent } = await callTool(app.url, 'find_tools', { words: 'update a room' });
    const found = structuredContent.items.find(({ name }: Json) => name === 'update_room');
    expect(found.inputSchema.required).toContain('roomId');
    expect(JSON.stringify(structuredContent).length).toBeLessThan(24_000);
    const given = { name: 'get_room', arguments: { roomId: fixture.publicRoom } };
    const called = await callTool(app.url, 'call_tool', given);
    const direct = await callTool(app.url, 'get_room', given.arguments);
    expect(called.structuredContent).toEqual(direct.structuredContent);
    expect((await callTool(app.url, 'call_tool', { name: 'nothing' })).error.code).toBe(-32602);
    expect((await callTool(app.url, 'find_tools', {})).structuredContent.items).toEqual([]);
  });
});

it('[attack.3-1] find_tools looks for no more words than it says', async () => {
  const find = async (words: string): Promise<Json[]> =>
    (await callTool(app.url, 'find_tools', { words })).structuredContent.items;
  const padding = `${'qq '.repeat(65)}xxxxx`;
  expect(padding).toHaveLength(200);
  expect(await find(padding.replace('xxxxx', 'rooms'))).not.toEqual([]);
  // Each word is looked for in each tool, so that 20,000 of them stopped everybody else.
  expect(await find(`${padding} room`)).toEqual([]);
});

describe('a set', () => {
  it.for(tools)(
    '[mcp.sets] gives $name no right that its caller has not',
    async ({ name, tool, operation }) => {
      const { input } = await getSharedCall(name);
      const given = toArguments(operation, input, operation.method === 'GET' ? undefined : 'key');
      for (const [caller, headers] of [
        ['anonymous', {}],
        ['wrong', { 'x-api-key': 'wrong' }],
      ] as const) {
        const ask = async (path: string, params: Json) => {
          const { body } = await send(path, 'tools/call', params, headers);
          return body.result?.structuredContent.code ?? (body.error ? 'no tool' : 'ok');
        };
        const expected = await ask('/mcp', { name: tool, arguments: given });
        if (caller === 'wrong' && operation.auth !== 'context')
          expect(expected).toBe('invalid_credential');
        if (operation.auth === 'agent' && caller === 'anonymous')
          expect(expected).toBe('unauthenticated');
        if (expected === 'ok') continue;
        const called = { name: 'call_tool', arguments: { name: tool, arguments: given } };
        for (const path of paths)
          for (const params of [{ name: tool, arguments: given }, called])
            expect({ path, code: await ask(path, params) }).toEqual({
              path,
              code: path === '/mcp/readonly' && operation.method !== 'GET' ? 'no tool' : expected,
            });
      }
    },
  );

  it('[mcp.sets] shows a stranger no hidden thread', async () => {
    const headers = { 'x-api-key': fixture.outsider.key };
    const params = { name: 'read_messages', arguments: { threadId: fixture.threads.hidden } };
    for (const path of paths)
      expect(
        (await send(path, 'tools/call', params, headers)).body.result.structuredContent.code,
      ).toBe('not_found');
  });
});
