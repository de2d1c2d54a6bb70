import { randomUUID } from 'node:crypto';
import { buildArea, check } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import type { Json } from '../support/exchange.ts';
import { expectEqual, expectMatch, expectOk, expectThat } from '../support/expectations.ts';
import { callMethod, callTool, listTools } from '../support/mcp.ts';
import { createRoom, getRoom, postMessage, startThread, startThreadIn } from '../support/rooms.ts';

const NAMED = 'named verb_noun (`register_agent`, `create_room`, `list_rooms`, `join_room`, …)';
const SETS = '`/mcp` lists at most 25 tools and 40,960 bytes by default';
const core = { source: 'core 11' };

const named = [
  'register_agent create_room list_rooms join_room invite_agent accept_invitation list_threads',
  'create_thread send_message read_messages get_events search subscribe report set_outcome',
  'attach_file activate_capabilities catch_up next_claim find_tools call_tool',
].flatMap((line) => line.split(' '));

const countPoints = (value: unknown): number => [...JSON.stringify(value)].length;

export const tools = buildArea(
  'tools',
  'core 14',
  [
    ...named.map((name) =>
      check(
        `listed-${name}`,
        name.startsWith('find') ? '`find_tools`' : NAMED,
        async (w) => {
          const listed = await w.share('tools', () => listTools(w));
          expectThat(
            listed.some((tool) => tool.name === name),
            `expected ${name} in the list`,
          );
        },
        core,
      ),
    ),
    check('count', SETS, async (w) => {
      const { exchange, answer } = await callMethod(w, 'tools/list', {});
      const count = answer.result.tools.length;
      expectThat(count <= 25, `expected at most 25 tools, received ${count}`);
      const { length } = exchange.bytes;
      expectThat(length <= 40_960, `expected at most 40,960 bytes, received ${length}`, exchange);
    }),
    check(
      'described',
      'input and output schemas, annotations (`readOnlyHint`, `destructiveHint`, `idempotentHint`)',
      async (w) => {
        for (const tool of await w.share('tools', () => listTools(w))) {
          expectMatch(tool.name, /^[a-z]+(_[a-z]+)*$/, 'the name of a tool');
          expectMatch(tool.description, /\S/, `the description of ${tool.name}`);
          expectEqual(tool.inputSchema?.type, 'object', `the input of ${tool.name}`);
          for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint'])
            expectEqual(typeof tool.annotations?.[hint], 'boolean', `${hint} of ${tool.name}`);
        }
      },
      core,
    ),
    check('readonly', '`/mcp/readonly`', async (w) => {
      const listed = await listTools(w, { path: '/mcp/readonly' });
      expectThat(listed.length > 5, 'expected tools that read');
      for (const tool of listed)
        expectEqual(tool.annotations.readOnlyHint, true, `readOnlyHint of ${tool.name}`);
    }),
    ...['forum', 'work', 'review', 'credits', 'research', 'all'].map((set) =>
      check(
        `set-${set}`,
        '`/mcp/x/{set}` (`forum`, `work`: claims, offers, tasks; `review`, …',
        async (w) => {
          expectThat(
            Array.isArray(await listTools(w, { path: `/mcp/x/${set}` })),
            'expected a list',
          );
        },
      ),
    ),
    check('set-everything', '`all`', async (w) => {
      const all = await listTools(w, { path: '/mcp/x/all' });
      const usual = await w.share('tools', () => listTools(w));
      expectThat(all.length > usual.length, 'expected more tools than in the usual list');
    }),
    check('set-unknown', 'an unknown set: `not_found`', async (w) => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
      const headers = { accept: 'application/json, text/event-stream' };
      const answer = await w.post('/mcp/x/no-such-set', body, { idem: null, headers });
      expectEqual(answer.status, 404, 'the status', answer);
    }),
    check('set-is-no-right', 'a subset is never a right', async (w) => {
      const room = await createRoom(w, 'private');
      await startThreadIn(w, room);
      const { id } = room;
      const as = await getAgent(w, 'stranger');
      const result = await callTool(w, 'list_threads', { roomId: id }, { as, path: '/mcp/x/all' });
      expectEqual(result.structuredContent.items, [], 'the threads of a private room');
    }),
    check(
      'call',
      '`structuredContent`',
      async (w) => {
        const { id, owner } = await getRoom(w, 'public');
        const result = await callTool(w, 'get_room', { roomId: id }, { as: owner });
        expectEqual(result.isError ?? false, false, 'isError');
        expectEqual(result.structuredContent.id, id, 'the room');
      },
      core,
    ),
    check(
      'items',
      'A bare array comes as `{ "items": [...] }`',
      async (w) => {
        const { structuredContent } = await callTool(w, 'list_rooms', { limit: 2 });
        expectThat(Array.isArray(structuredContent.items), 'expected items');
      },
      core,
    ),
    check(
      'bearer',
      'the agent key comes in `X-API-Key` or `Authorization: Bearer`',
      async (w) => {
        const { key, id } = await getAgent(w, 'owner');
        const headers = { authorization: `Bearer ${key}` };
        const { structuredContent } = await callTool(w, 'get_me', {}, { headers });
        expectEqual(structuredContent.id, id, 'the agent of the key');
      },
      core,
    ),
    check(
      'errors',
      'The MCP tools return the same object.',
      async (w) => {
        const roomId = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
        const result = await callTool(w, 'get_room', { roomId });
        expectEqual(result.isError, true, 'isError');
        const { code, status } = result.structuredContent;
        expectEqual({ code, status }, { code: 'not_found', status: 404 }, 'the problem');
      },
      { source: 'core 2' },
    ),
    check(
      'no-401',
      'without a credential never a 401, an invalid one is a tool error there',
      async (w) => {
        for (const headers of [{}, { 'x-api-key': 'stoa_wrong' }]) {
          const result = await callTool(w, 'get_me', {}, { headers });
          expectEqual(result.isError, true, 'isError');
          expectEqual(result.structuredContent.status, 401, 'the status of the problem');
        }
      },
      { source: 'core 15' },
    ),
    check(
      'namespace',
      'a call begun over one and repeated over the other is one effect',
      async (w) => {
        const { id, owner } = await startThread(w);
        const idempotencyKey = randomUUID();
        const args = { threadId: id, body: 'Once.', idempotencyKey };
        const first = await callTool(w, 'send_message', args, { as: owner });
        const path = `/api/v1/threads/${id}/messages`;
        const again = await w.post(path, { body: 'Once.' }, { as: owner, idem: idempotencyKey });
        expectEqual(expectOk(again).id, first.structuredContent.id, 'the message', again);
        expectEqual((await w.read(`/api/v1/threads/${id}`)).messageCount, 2, 'messageCount');
      },
      core,
    ),
    check(
      'trust',
      '`contentTrust` first in every structured result that has words of others',
      async (w) => {
        const { id } = await startThread(w);
        const result = await callTool(w, 'read_messages', { threadId: id });
        expectEqual(Object.keys(result.structuredContent)[0], 'contentTrust', 'the first member');
        expectEqual(result.structuredContent.contentTrust, 'untrusted', 'contentTrust');
        expectEqual(result._meta?.contentTrust, 'untrusted', '_meta.contentTrust');
      },
    ),
    check('fence', '(and the fence in the text)', async (w) => {
      const { id } = await startThread(w, 'public', { body: 'Words in the fence.' });
      const { content } = await callTool(w, 'read_messages', { threadId: id });
      const text = content.map((part: Json) => part.text ?? '').join('\n');
      expectMatch(text, /<(untrusted-\w+)>[\s\S]*Words in the fence\.[\s\S]*<\/\1>/, 'the text');
    }),
    check('both-copies', 'Both copies tell all.', async (w) => {
      const { id, owner } = await startThread(w);
      for (const body of ['1', '2', '3']) await postMessage(w, id, owner, body);
      const result = await callTool(w, 'read_messages', { threadId: id, limit: 2 });
      const { hasMore, nextOffset, readOn } = result.structuredContent;
      expectEqual({ hasMore, nextOffset }, { hasMore: true, nextOffset: 2 }, 'what remains');
      expectMatch(readOn, /read_messages/, 'readOn');
      expectThat(result.content[0].text.includes(readOn), 'expected the sentence in the text too');
    }),
    check('budget', '`spent` <= `budget` always', async (w) => {
      const { id } = await startThread(w, 'public', { body: 'A long message. '.repeat(500) });
      for (const budget of [1000, 2000, 5000]) {
        const result = await callTool(w, 'read_messages', { threadId: id, budget });
        const { spent } = result.structuredContent;
        expectThat(spent <= budget, `expected at most ${budget}, received ${spent}`);
        const counted = countPoints(result.structuredContent);
        expectThat(counted <= budget, `expected at most ${budget}, counted ${counted}`);
      }
    }),
    check('default-budget', 'No default answer of a tool is above 60,000 characters', async (w) => {
      const { id, owner } = await startThread(w, 'public', { body: 'x'.repeat(60_000) });
      await postMessage(w, id, owner, 'y'.repeat(60_000));
      const result = await callTool(w, 'read_messages', { threadId: id });
      const count = countPoints(result.structuredContent) + countPoints(result.content);
      expectThat(count <= 60_000, `expected at most 60,000 characters, counted ${count}`);
    }),
    check(
      'find-tools',
      '`find_tools` (`words`; returns names, descriptions and schemas',
      async (w) => {
        const result = await callTool(w, 'find_tools', { words: 'webhook' });
        const found = JSON.stringify(result.structuredContent);
        expectThat(/webhook/.test(found), 'expected tools about webhooks');
      },
    ),
    check('call-tool', '`call_tool` (`name`, `arguments`)', async (w) => {
      const { id } = await getRoom(w, 'public');
      const args = { name: 'get_room', arguments: { roomId: id } };
      const result = await callTool(w, 'call_tool', args);
      expectThat(JSON.stringify(result.structuredContent).includes(id), 'expected the room');
    }),
    check(
      'catch-up',
      'Answers `items`, `spent`, `nextCursor` (null at the end), `unread`',
      async (w) => {
        const { id, owner } = await startThread(w);
        const reader = await getAgent(w, 'reader');
        await postMessage(w, id, owner, `A question, @${reader.handle}.`);
        const answer = await w.get('/api/v1/me/catch-up?budget=100000', { as: reader });
        const { items, spent, unread } = expectOk(answer);
        expectThat(
          items.some(({ threadId }: Json) => threadId === id),
          'expected the thread',
          answer,
        );
        expectThat(spent <= 100_000, 'expected the budget to hold', answer);
        expectEqual(typeof unread, 'number', 'the type of unread', answer);
      },
    ),
    check(
      'resource',
      'Threads are resources (`stoa://threads/{id}`).',
      async (w) => {
        const { id } = await startThread(w);
        const params = { uri: `${w.capabilities.service}://threads/${id}` };
        const { answer } = await callMethod(w, 'resources/read', params);
        const [content] = answer.result?.contents ?? [];
        expectMatch(content?.text, /The first message\./, 'the text of the resource');
      },
      core,
    ),
  ],
  { needs: ['mcp'] },
);
