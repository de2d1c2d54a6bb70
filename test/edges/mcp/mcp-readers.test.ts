import { beforeAll, describe, expect, it } from 'vitest';
import { createCallCache, getCase } from '../../operations/cases.ts';
import { createFixture, type OperationInput, registry } from '../../operations/fixture.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json, type RequestOptions } from '../../support/factories.ts';
import { callTool, listAllTools, toArguments, toHeaders } from './mcp-client.ts';

const app = await startApp({ ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);
const owner = await f.createAgent();
const room = await f.createRoom(owner);
const fixture = await createFixture(f);
const getSharedCall = createCallCache(fixture, f);

const toTexts = ({ content }: Json): string[] => content.map(({ text }: Json) => text);
const toJson = ({ structuredContent }: Json): string => JSON.stringify(structuredContent);
/** Characters that one client gives its model at most: 25,000 tokens of four. */
const CUT = 100_000;

/** What clients pass on to a model of a result. Each way is that of a client that exists. */
const ways: readonly { readonly way: string; readonly show: (result: Json) => string }[] = [
  { way: 'structured content only', show: toJson },
  { way: 'text only', show: (result) => toTexts(result).join('\n') },
  { way: 'both', show: (result) => [toJson(result), ...toTexts(result)].join('\n') },
  {
    way: 'structured content, then text that differs from it',
    show: (result) =>
      [toJson(result), ...toTexts(result).filter((text) => text !== toJson(result))].join('\n'),
  },
  { way: 'the first block only', show: (result) => toTexts(result)[0] ?? '' },
  { way: 'cut at 25,000 tokens', show: (result) => toTexts(result).join('\n').slice(0, CUT) },
  {
    way: 'everything but _meta',
    show: ({ _meta: _, ...result }) => JSON.stringify(result),
  },
];

const readOnly = registry.filter(
  (operation) => operation.tool !== undefined && operation.method === 'GET',
);
const tools = registry
  .filter(({ tool }) => tool !== undefined)
  .map((operation) => ({ name: operation.name, tool: operation.tool ?? '', operation }));
const withWords = tools.filter(({ operation }) => operation.untrusted);

/** Lists that grow with each turn of their case. */
const lists = tools
  .filter(({ name, operation }) => operation.method === 'GET' && getCase(name).list !== undefined)
  .map(({ name, tool, operation }) => ({ name, tool, operation }));

interface Arranged {
  readonly input: OperationInput;
  readonly as: RequestOptions;
}
const arranged = new Map<string, Arranged>();

beforeAll(async () => {
  for (const { name } of lists) {
    const rows = await getCase(name).list?.arrange({ app, f, owner, room });
    for (let index = 0; index < 3; index++) {
      app.clock.advance(1000);
      await rows?.createRow?.({ index, guest: await f.createAgent() });
    }
    arranged.set(name, { input: rows?.input ?? {}, as: rows?.as ?? { key: owner.key } });
  }
});

const expectTrust = (result: Json, said: boolean) => {
  for (const { way, show } of ways) {
    const seen = show(result);
    expect({ way, said: /\buntrusted\b/.test(seen.slice(0, 400)) }).toEqual({ way, said });
  }
};

/** The arguments that a sentence about reading on names. */
const parseReadOn = (sentence: string): Record<string, unknown> =>
  Object.fromEntries(
    [...sentence.matchAll(/\b(offset|cursor|before|beforeAt) (\S*[^\s,.])/g)]
      .filter(([whole]) => !sentence.includes(`without ${whole.split(' ')[0]}`))
      .map(([, name = '', value = '']) => [name, /^\d+$/.test(value) ? Number(value) : value]),
  );

/** When a key was last used is written a little later, so that reads may differ in it. */
const withoutUse = ({ lastUsedAt, ...row }: Json): Json => row;

describe('whose words a result has', () => {
  it.for(withWords)(
    '[mcp.both-copies] $name says it first, however a client passes it on',
    async ({ name, tool, operation }) => {
      const { input, as } = await getSharedCall(name);
      const given = toArguments(operation, input, operation.method === 'GET' ? undefined : 'key');
      const result = await callTool(app.url, tool, given, toHeaders(as));
      // Another test may have made the same change before, so that this one is refused.
      if (result.isError) return expect(operation.method).not.toBe('GET');
      expect(Object.keys(result.structuredContent)[0]).toBe('contentTrust');
      expectTrust(result, true);
    },
  );

  it('[mcp.both-copies] covers most tools that read', () => {
    expect(withWords.length).toBeGreaterThan(50);
    expect(readOnly.length).toBeGreaterThan(lists.length);
  });
});

describe('a list that goes on', () => {
  it.for(lists)(
    '[mcp.both-copies] $name says so and how, however a client passes it on',
    async ({ name, tool, operation }) => {
      const { input, as } = arranged.get(name) ?? { input: {}, as: {} };
      const read = (query: Record<string, unknown>) =>
        callTool(app.url, tool, { ...toArguments(operation, input), ...query }, toHeaders(as));
      const all = (await read({ limit: 100 })).structuredContent.items;
      expect(all.length).toBeGreaterThan(1);
      const seen: Json[] = [];
      let query: Record<string, unknown> | null = {};
      while (query !== null) {
        const result: Json = await read({ ...query, limit: 1 });
        const { items, hasMore, readOn } = result.structuredContent;
        seen.push(...items);
        expect(hasMore).toBe(seen.length < all.length);
        for (const { way, show } of ways) {
          const text = show(result);
          const told = text.includes(`To read on, call ${tool} again with offset ${seen.length}`);
          expect({ way, told }).toEqual({ way, told: hasMore });
        }
        expect(toTexts(result)).toHaveLength(1);
        query = hasMore ? parseReadOn(readOn) : null;
      }
      expect(seen.map(withoutUse)).toEqual(all.map(withoutUse));
    },
  );

  it('[mcp.both-copies] goes on by before where it began by before', async () => {
    const { items } = (await callTool(app.url, 'list_agents', { limit: 3 })).structuredContent;
    const [first, second] = items;
    const result = await callTool(app.url, 'list_agents', { before: first.id, limit: 1 });
    const { readOn, nextBefore, nextOffset } = result.structuredContent;
    expect({ nextBefore, nextOffset }).toEqual({ nextBefore: second.id, nextOffset: null });
    for (const { show } of ways) expect(show(result)).toContain(`before ${second.id}`);
    expect(parseReadOn(readOn)).toEqual({ before: second.id });
  });

  it('[mcp.both-copies] of messages, results and events does so too', async () => {
    const author = await f.createAgent();
    const reader = await f.createAgent();
    const own = await f.createRoom(author);
    const thread = await f.createThread(author, own);
    for (const body of ['plums one', 'plums two', 'plums three'])
      await f.postMessage(author, thread, `@${reader.handle} ${body}`);
    const { id: anchorId } = await f.postMessage(author, thread, 'middle');
    await f.postMessage(author, thread, 'last');
    const calls: readonly (readonly [string, Record<string, unknown>, RegExp])[] = [
      ['read_messages', { threadId: thread, limit: 1 }, /read_messages again with offset 1\./],
      [
        'read_messages',
        { threadId: thread, limit: 2, anchorId },
        /read_messages again with offset \d+, without anchorId/,
      ],
      ['search', { q: 'plums', limit: 1 }, /search again with offset 1\./],
      ['get_events', { limit: 1 }, /get_events again with cursor 1\./],
    ];
    for (const [tool, given, sentence] of calls) {
      const result = await callTool(app.url, tool, given, { 'x-api-key': reader.key });
      const { readOn } = result.structuredContent;
      expect(readOn).toMatch(sentence);
      for (const { way, show } of ways)
        expect({ way, text: show(result) }).toEqual({
          way,
          text: expect.stringContaining(readOn),
        });
    }
  });
});

describe('tools/list', () => {
  it('[mcp.both-copies] declares the members that say how to read on', async () => {
    const listed = await listAllTools(app.url);
    for (const { tool } of lists) {
      const { outputSchema } = listed.find(({ name }: Json) => name === tool);
      expect(outputSchema.required).toEqual(
        expect.arrayContaining(['hasMore', 'nextOffset', 'readOn', 'items']),
      );
    }
  });
});
