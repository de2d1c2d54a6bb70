import { beforeAll, describe, expect, it } from 'vitest';
import { createCallCache } from '../../operations/cases.ts';
import { callOperation, createFixture, registry } from '../../operations/fixture.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json } from '../../support/factories.ts';
import { callTool, toArguments, toHeaders } from './mcp-client.ts';

const app = await startApp({ ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);
const fixture = await createFixture(f);
const getSharedCall = createCallCache(fixture, f);
const author = await f.createAgent();
const room = await f.createRoom(author);

const count = (text: string): number => [...text].length;
const budgets = [1_000, 1_777, 8_000, 100_000];
const scripts = [
  'plain words ',
  'Größe ',
  '世界和平',
  '🙂👩‍👧 ',
  'مرحبا ',
  'a\n\t"\\',
  '\u0001\u001f ',
];
const reads = registry
  .filter(({ tool, method, kind }) => tool !== undefined && method === 'GET' && kind === 'call')
  .map((operation) => ({ name: operation.name, tool: operation.tool ?? '', operation }));

/** Calls a tool, and asserts that both copies of its answer are within the budget. */
async function callWithin(
  tool: string,
  given: Json,
  headers: Record<string, string>,
  budget: number,
) {
  const result = await callTool(app.url, tool, { ...given, budget }, headers);
  expect(result.isError, JSON.stringify(result.structuredContent)).toBeUndefined();
  const spent = count(JSON.stringify(result.structuredContent));
  expect({ tool, spent }).toEqual({ tool, spent: result.structuredContent.spent });
  expect({ budget, spent: Math.min(spent, budget) }).toEqual({ budget, spent });
  const text = count(result.content.map((block: Json) => block.text).join(''));
  expect(Math.min(text, budget)).toBe(text);
  return result.structuredContent;
}

describe('a budget', () => {
  it.for(reads)(
    '[mcp.budget] of $name is kept by the tool and over REST',
    async ({ name, tool, operation }) => {
      const { input, as } = await getSharedCall(name);
      for (const budget of budgets) {
        await callWithin(tool, toArguments(operation, input), toHeaders(as), budget);
        const query = { ...input.query, budget };
        const rest = await callOperation(app.url, operation, { ...input, query }, as);
        expect(rest.status, rest.text).toBe(200);
        expect(rest.headers.get('x-budget-spent')).toBe(String(count(rest.text)));
        expect(count(rest.text)).toBeLessThanOrEqual(budget);
      }
    },
  );

  it.for(reads)(
    '[mcp.budget] $name in pieces is the same as in whole',
    async ({ name, operation }) => {
      const { input, as } = await getSharedCall(name);
      if (/^list|^search$/.test(name)) return expect(operation.query).toBeDefined();
      const read = (query: Json) =>
        callOperation(app.url, operation, { ...input, query: { ...input.query, ...query } }, as);
      const whole = (await read({})).text;
      let joined = '';
      let from: number | null = 0;
      while (from !== null) {
        const { body, text }: Json = await read({ budget: 1_000, excerptFrom: from });
        if (body?.excerpt === undefined) return expect(text).toContain(whole.slice(0, 40));
        joined += body.excerpt;
        from = body.truncated?.nextFrom ?? null;
      }
      expect(JSON.parse(joined)).toEqual(JSON.parse(whole));
    },
  );

  it('[mcp.budget] too small, too large or no number is refused', async () => {
    for (const budget of [999, 100_001, 0, -1, 'x', '1e4', ''])
      expect((await f.send('GET', `/api/v1/rooms?budget=${budget}`)).body).toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: '/query/budget' }],
      });
  });
});

/** Reads a thread as a model does, and returns the text of each message. */
async function readThread(threadId: string, budget: number): Promise<string[]> {
  const bodies: string[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page: Json = await callWithin('read_messages', { threadId, offset }, {}, budget);
    for (const message of page.messages) {
      let { body, truncated } = message;
      while (truncated !== null) {
        const given = { messageId: message.id, from: truncated.nextFrom };
        const rest = await callWithin('get_message', given, {}, budget);
        body += rest.body;
        truncated = rest.truncated;
      }
      bodies.push(body);
    }
    offset = page.nextOffset;
  }
  return bodies;
}

describe('a thread of long messages', () => {
  const bodies = scripts.map(
    (script) => `x${script.repeat(Math.floor(5_000 / Buffer.byteLength(script)))}`,
  );
  let thread = '';
  beforeAll(async () => {
    thread = await f.createThread(author, room);
    for (const body of bodies) await f.postMessage(author, thread, body);
  });

  it.for([1_000, 2_345, 24_000, 100_000])(
    '[mcp.budget] is read in full with a budget of %i, each word once',
    async (budget) => {
      expect((await readThread(thread, budget)).slice(1)).toEqual(bodies);
    },
  );

  it('[mcp.budget] of the greatest length stays within 60,000 characters by default', async () => {
    const long = await f.createThread(author, room);
    for (let index = 0; index < 100; index++)
      await f.postMessage(author, long, `${index} ${'"\\'.repeat(32_000)}`);
    const { id } = (await f.ok('GET', `/api/v1/threads/${long}/messages?limit=1`)).messages[0];
    for (const [tool, given] of [
      ['read_messages', { threadId: long, offset: 1, limit: 100 }],
      ['read_messages', { threadId: long, anchorId: id }],
      ['get_thread', { threadId: long }],
      ['list_threads', {}],
      ['search', { q: 'type:message 7' }],
    ] as const) {
      const result = await callTool(app.url, tool, given);
      expect({ tool, error: result.isError }).toEqual({ tool, error: undefined });
      const copies = JSON.stringify(result.structuredContent) + result.content[0].text;
      expect(count(copies)).toBeLessThan(60_000);
    }
  });

  it('[mcp.budget] keeps the anchor on its page', async () => {
    const { messages } = await f.ok('GET', `/api/v1/threads/${thread}/messages`);
    for (const { id } of messages) {
      const page = await callWithin('read_messages', { threadId: thread, anchorId: id }, {}, 3_000);
      expect(page.messages.map((one: Json) => one.id)).toContain(id);
    }
  });

  it('[mcp.budget] gives its files and mentions with the last piece', async () => {
    const own = await f.createThread(author, room);
    const others = await f.createAgents(50);
    const body = `${others.map(({ handle }) => `@${handle}`).join(' ')} ${'x'.repeat(3_000)}`;
    const { id } = await f.postMessage(author, own, body);
    for (const name of ['a.txt', 'b.txt', 'c.txt'])
      await f.attachFile(author, id, { name, bytes: name });
    const read = (from: number, budget: number) =>
      f.send('GET', `/api/v1/messages/${id}?from=${from}&budget=${budget}`);
    let together = '';
    let last: Json;
    for (let from: number | null = 0; from !== null; ) {
      last = (await read(from, 3_000)).body;
      together += last.body;
      from = last.truncated?.nextFrom ?? null;
    }
    expect(together).toBe(body);
    expect({ files: last.files.length, mentions: last.mentions.length }).toEqual({
      files: 3,
      mentions: 50,
    });
    const whole = await f.ok('GET', `/api/v1/messages/${id}?from=4`);
    expect(whole.body).toBe(body.slice(4));
    expect(await read([...body].length, 1_000)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/query/budget' }] },
    });
  });
});

describe('a file', () => {
  it.for(['text/plain', 'application/octet-stream'])(
    '[mcp.budget] of %s is read in parts that fit, each byte once',
    async (type) => {
      const bytes = Buffer.from(scripts.join('').repeat(60));
      const { id } = await f.postMessage(author, await f.createThread(author, room), 'See');
      const file = await f.attachFile(author, id, { name: 'a.txt', bytes, type });
      const parts: Buffer[] = [];
      for (let offset: number | null = 0; offset !== null; ) {
        const part: Json = await callWithin('read_file', { fileId: file.id, offset }, {}, 2_000);
        parts.push(Buffer.from(part.content, part.encoding));
        offset = part.nextOffset;
      }
      expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    },
  );
});
