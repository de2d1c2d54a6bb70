import { describe, expect, it } from 'vitest';
import { monotonicClock } from '../../kernel/clock.ts';
import { fail } from '../../kernel/errors.ts';
import { createEventLoopTurns } from '../../kernel/event-loop-turns.ts';
import type { Html } from '../../kernel/html/html.ts';
import {
  holdBodies,
  MAX_PAGE_CHARACTERS,
  prepareBodies,
  renderOutcomeText,
} from './render-body.ts';
import type { Message } from './schemas.ts';

const baseUrl = 'https://stoa.example';
/** The HTML of a quotation mark has six characters, so that of this body has 393,000. */
const LONG = '"'.repeat(65_500);
/** So many of them fit on a page. */
const FITTING = 5;

/** How many bodies were rendered in all, in this turn of the event loop, and in any turn. */
const rendered = { all: 0, inTurn: 0, most: 0 };
const countRendering = (): string[] => {
  rendered.all += 1;
  rendered.inTurn += 1;
  rendered.most = Math.max(rendered.most, rendered.inTurn);
  setImmediate(() => {
    rendered.inTurn = 0;
  });
  return [];
};

let count = 0;
/** Builds a message whose mentions are read whenever its body is rendered. */
const build = (body: string): Message =>
  Object.defineProperty({ id: `body-${count++}`, body, deleted: body === '' }, 'mentions', {
    get: countRendering,
  }) as Partial<Message> as Message;
const buildMany = (length: number, body = LONG): Message[] =>
  Array.from({ length }, () => build(body));
const countCharacters = (bodies: ReadonlyMap<string, Html>): number =>
  [...bodies.values()].reduce((sum, { text }) => sum + text.length, 0);
const listIds = (messages: readonly Message[]): string[] => messages.map(({ id }) => id);
const turns = createEventLoopTurns(monotonicClock);
const waitForTurn = () => turns.wait('ada');
const room = { baseUrl, holdPrepared: () => {}, waitForTurn };

describe('the bodies of a page', () => {
  it('[attack.9-1] (API4) are rendered once, in turns, whatever the cache has lost', async () => {
    // Together they have more characters than the cache keeps, and it loses the first ones.
    const pages = Array.from({ length: 12 }, () => buildMany(FITTING));
    const before = rendered.all;
    const prepared = await Promise.all(pages.map((page) => prepareBodies(page, { ...room })));
    expect({ all: rendered.all - before, most: rendered.most }).toEqual({ all: 60, most: 1 });
    for (const [index, { messages, bodies }] of prepared.entries()) {
      expect(listIds(messages)).toEqual(listIds(pages[index] ?? []));
      expect([...bodies.keys()]).toEqual(listIds(messages));
    }
    expect(rendered.all - before).toBe(60);
    await prepareBodies(pages[0] ?? [], { ...room });
    expect(rendered.all - before).toBeGreaterThan(60);
  });

  it('[attack.9-1] (API4) that pages share are rendered once for all of them', async () => {
    const shared = buildMany(FITTING);
    const before = rendered.all;
    await Promise.all(Array.from({ length: 9 }, () => prepareBodies(shared, { ...room })));
    expect(rendered.all - before).toBe(FITTING);
  });

  it('[attack.9-1] (API4) and outcomes are rendered once, each as its own', async () => {
    const [message = build('')] = buildMany(1, 'a secret');
    await prepareBodies([message], { ...room });
    const text = message.id;
    const renderOutcome = () => renderOutcomeText('thread', text, room);
    const [first, second] = await Promise.all([renderOutcome(), renderOutcome()]);
    expect(first).toBe(second);
    expect(await renderOutcome()).toBe(first);
    expect(first.text).toContain(`<p>${text}</p>`);
  });

  it('[attack.37-4] (API1) no outcome is faster because another thread has it', async () => {
    const shared = 'Both have **this**.';
    const ofOne = await renderOutcomeText('one', shared, room);
    const ofOther = await renderOutcomeText('other', shared, room);
    expect(ofOther).not.toBe(ofOne);
    expect(ofOther).toEqual(ofOne);
  });

  it('[attack.9-1] (API4) end at 2 MiB of HTML, and no further one is rendered', async () => {
    const all = buildMany(40);
    const before = rendered.all;
    const { messages, bodies } = await prepareBodies(all, { ...room });
    expect(listIds(messages)).toEqual(listIds(all.slice(0, FITTING)));
    expect(countCharacters(bodies)).toBeLessThanOrEqual(MAX_PAGE_CHARACTERS);
    expect(rendered.all - before).toBe(FITTING + 1);
    const single = await prepareBodies(all.slice(0, 2), {
      ...room,
      maxCharacters: 10,
    });
    expect(listIds(single.messages)).toEqual(listIds(all.slice(0, 1)));
    expect((await prepareBodies([], { ...room })).messages).toEqual([]);
  });

  it('[attack.9-1] end around an anchor, of which the messages before have half', async () => {
    const all = [...buildMany(10), ...buildMany(2, ''), ...buildMany(10)];
    const { messages, bodies } = await prepareBodies(all, { ...room, anchor: 12 });
    expect(listIds(messages)).toEqual(listIds(all.slice(9, 16)));
    expect(bodies.size).toBe(5);
  });

  it('[attack.9-1] (API4) are held while they are prepared, and a refusal ends that', async () => {
    const held: number[] = [];
    const all = buildMany(4);
    const before = rendered.all;
    const refuseSecond = (characters: number) => {
      held.push(characters);
      if (held.length > 2) throw fail('rate_limited', 'Read each answer first.');
    };
    holdBodies(all, { holdPrepared: refuseSecond });
    await expect(prepareBodies(all, { ...room, holdPrepared: refuseSecond })).rejects.toThrow(
      'Read each',
    );
    expect(rendered.all - before).toBe(2);
    expect(held[0]).toBe(4 * (LONG.length + 1024));
    expect(held[1]).toBeGreaterThan(6 * LONG.length);
    expect(held[2]).toBeGreaterThan(12 * LONG.length);
  });

  it('[attack.56-4] (API4) are held with what a message takes besides its text', () => {
    const held: number[] = [];
    holdBodies(buildMany(1_000, '.'), { holdPrepared: (bytes) => held.push(bytes) });
    expect(held).toEqual([1_000 * 1025]);
  });

  it('[attack.43-1] (API4) have one turn for several short texts', async () => {
    let taken = 0;
    const countTurns = { ...room, waitForTurn: async () => void taken++ };
    await prepareBodies(buildMany(50, 'a'.repeat(100)), countTurns);
    expect(taken).toBe(5);
    taken = 0;
    await prepareBodies(buildMany(4, 'a'.repeat(3_000)), countTurns);
    expect(taken).toBe(4);
  });

  it('[attack.47-1] (API4) end earlier where messages have more than bodies', async () => {
    const all = buildMany(50, 'Look.');
    const countMore = () => MAX_PAGE_CHARACTERS / 10;
    const held: number[] = [];
    const holdPrepared = (characters: number) => void held.push(characters);
    const { messages } = await prepareBodies(all, { ...room, countMore, holdPrepared });
    expect(messages).toHaveLength(9);
    expect(held.at(-1)).toBeGreaterThan(0.9 * MAX_PAGE_CHARACTERS);
  });
});
