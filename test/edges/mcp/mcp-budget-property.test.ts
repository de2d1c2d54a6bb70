import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createCallCache, getCase } from '../../operations/cases.ts';
import {
  callOperation,
  createFixture,
  fillPath,
  type OperationInput,
  registry,
} from '../../operations/fixture.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json, type RequestOptions } from '../../support/factories.ts';
import { callTool, toArguments, toHeaders } from './mcp-client.ts';

// Nothing that a list shows may change between two reads of it.
const app = await startApp(
  { ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' },
  { manualJobs: true },
);
const f = factories(app);
const fixture = await createFixture(f);
const getSharedCall = createCallCache(fixture, f);
const owner = await f.createAgent();
const room = await f.createRoom(owner);

const RUNS = Number(process.env.STOA_BUDGET_RUNS ?? 5);
const count = (text: string): number => [...text].length;
const budgets = fc.integer({ min: 1_000, max: 100_000 });
const smallBudgets = fc.integer({ min: 1_000, max: 4_000 });

/** A text of one of many scripts, of marks that JSON escapes, or of any code points at all. */
const texts = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3_000, size: 'max' }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 3_000, size: 'max' }),
    fc
      .tuple(
        fc.constantFrom(
          'plain words ',
          'Größe ',
          'Привет, мир. ',
          '世界和平',
          'こんにちは',
          '안녕하세요 ',
          'नमस्ते ',
          'สวัสดี',
          'مرحبا ',
          'שלום ',
          '🙂👩‍👧‍👦 ',
          '𐍈𝒳',
          'e\u0301\u0327 ',
          '\t"\\\n',
          '\u0001\u001f\u007f ',
        ),
        fc.integer({ min: 1, max: 4_000 }),
      )
      .map(([script, times]) => script.repeat(times)),
  )
  .map((text) => `x${text.replaceAll('\0', '')}`)
  .filter((text) => Buffer.byteLength(text) <= 65_536);

/** Runs a property with a seed that a failure names. */
const check = <Value>(values: fc.Arbitrary<Value>, hold: (value: Value) => Promise<void>) =>
  fc.assert(fc.asyncProperty(values, hold), { numRuns: RUNS, endOnFailure: true });

/** Asserts that both copies of a tool's answer are within the budget, and that it says so. */
async function callWithin(
  tool: string,
  given: Json,
  headers: Record<string, string>,
  budget: number,
): Promise<Json> {
  const result = await callTool(app.url, tool, { ...given, budget }, headers);
  expect(result.isError, JSON.stringify(result.structuredContent)).toBeUndefined();
  const spent = count(JSON.stringify(result.structuredContent));
  expect({ tool, spent }).toEqual({ tool, spent: result.structuredContent.spent });
  const text = count(result.content.map((block: Json) => block.text).join(''));
  expect(spent).toBeLessThanOrEqual(budget);
  expect(text).toBeLessThanOrEqual(budget);
  return result.structuredContent;
}

const reads = registry
  .filter(({ tool, method, kind }) => tool !== undefined && method === 'GET' && kind === 'call')
  .map((operation) => ({ name: operation.name, tool: operation.tool ?? '', operation }));

describe('any budget', () => {
  beforeAll(async () => {
    // Something long in every room and thread that the calls read.
    const long = '世界"\\ '.repeat(2_000);
    for (const thread of Object.values(fixture.threads))
      for (let index = 0; index < 3; index++)
        await f.postMessage(fixture.owner, thread, `${index} ${long} @${fixture.member.handle}`);
  });

  it.for(reads)(
    '[mcp.budget-any] of $name is kept by the tool and over REST',
    async ({ name, tool, operation }) => {
      const { input, as } = await getSharedCall(name);
      await check(budgets, async (budget) => {
        await callWithin(tool, toArguments(operation, input), toHeaders(as), budget);
        const query = { ...input.query, budget };
        const rest = await callOperation(app.url, operation, { ...input, query }, as);
        expect(rest.status, rest.text).toBe(200);
        expect(rest.headers.get('x-budget-spent')).toBe(String(count(rest.text)));
        expect(count(rest.text)).toBeLessThanOrEqual(budget);
      });
    },
  );

  it('[mcp.budget-any] reads a thread in full, whatever it says', async () => {
    const threads = fc.record({
      bodies: fc.array(texts, { minLength: 1, maxLength: 5 }),
      budget: fc.oneof(smallBudgets, budgets),
    });
    await check(threads, async ({ bodies, budget }) => {
      const thread = await f.createThread(owner, room, { body: bodies[0] });
      for (const body of bodies.slice(1)) await f.postMessage(owner, thread, body);
      const seen: string[] = [];
      for (let offset: number | null = 0; offset !== null; ) {
        const page: Json = await callWithin(
          'read_messages',
          { threadId: thread, offset },
          {},
          budget,
        );
        for (const { id, body, truncated } of page.messages) {
          let whole = body;
          for (let rest = truncated; rest !== null; ) {
            const given = { messageId: id, from: rest.nextFrom };
            const piece = await callWithin('get_message', given, {}, budget);
            whole += piece.body;
            rest = piece.truncated;
          }
          seen.push(whole);
        }
        offset = page.nextOffset;
      }
      expect(seen).toEqual(bodies);
    });
  });
});

interface Arranged {
  readonly input: OperationInput;
  readonly as: RequestOptions;
}
const arranged = new Map<string, Arranged>();
const lists = reads.filter(({ name }) => getCase(name).list !== undefined);

describe('a list under a budget', () => {
  beforeAll(async () => {
    for (const { name } of lists) {
      const rows = await getCase(name).list?.arrange({ app, f, owner, room });
      for (let index = 0; index < 7; index++) {
        app.clock.advance(1000);
        await rows?.createRow?.({ index, guest: await f.createAgent() });
      }
      arranged.set(name, { input: rows?.input ?? {}, as: rows?.as ?? { key: owner.key } });
    }
  });

  /** Puts the items of pages together; one that was too long comes in pieces of its JSON. */
  function joinItems(pages: readonly (readonly Json[])[]): Json[] {
    const items: Json[] = [];
    let pieces = '';
    for (const item of pages.flat()) {
      const isPiece = typeof item.excerpt === 'string' && 'truncated' in item;
      if (!isPiece) {
        items.push(item);
        continue;
      }
      pieces += item.excerpt;
      if (item.truncated !== null) continue;
      items.push(JSON.parse(pieces));
      pieces = '';
    }
    expect(pieces).toBe('');
    return items;
  }

  it.for(lists)(
    '[mcp.budget-walk] $name is read to its end: everything, each once',
    async ({ name, tool, operation }) => {
      const { input, as } = arranged.get(name) ?? { input: {}, as: {} };
      const path = (query: Json) =>
        fillPath(operation, { ...input, query: { ...input.query, ...query } });
      const all: Json[] = (await f.listPages(path({ limit: 100 }), as)).flat();
      expect(all.length).toBeGreaterThan(2);
      await check(smallBudgets, async (budget) => {
        expect(joinItems(await f.listPages(path({ budget, limit: 100 }), as))).toEqual(all);
        const pages: Json[][] = [];
        for (let next: Json | null = {}; next !== null; ) {
          expect(pages.length).toBeLessThan(500);
          const given = { ...toArguments(operation, input), limit: 100, ...next };
          const page: Json = await callWithin(tool, given, toHeaders(as), budget);
          pages.push(page.items);
          const cut = page.items.at(-1)?.truncated?.nextFrom;
          const { nextOffset: offset } = page;
          next = page.hasMore ? { offset, ...(cut !== undefined && { excerptFrom: cut }) } : null;
        }
        expect(joinItems(pages)).toEqual(all);
      });
    },
  );
});
