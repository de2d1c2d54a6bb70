import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { createLongReads } from '../kernel/limits/long-reads.ts';
import { unlimitedRateLimiter } from '../kernel/limits/rate-limits.ts';
import { chargePieces } from './charge-answer.ts';

const PIECES = 3;
const hub = { deliveries: 0 };
const busy = { lastBegunAt: Number.POSITIVE_INFINITY };
const env = {
  rateLimiter: unlimitedRateLimiter,
  longReads: createLongReads(busy, hub),
  datasetReads: createLongReads(busy, hub),
};
const buildRequest = (agentId: string) =>
  ({ agentId, ip: '192.0.2.1', readers: null }) as unknown as FastifyRequest;

it('[attack.5-3] makes one piece of all exports at a time, and callers take turns', async () => {
  let underWay = 0;
  const made: string[] = [];
  async function* makePieces(name: string): AsyncGenerator<string> {
    for (let nr = 0; nr < PIECES; nr++) {
      expect(++underWay).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      underWay--;
      made.push(name);
      yield `${name}${nr} `;
    }
  }
  const read = async (agentId: string, name: string) => {
    let text = '';
    for await (const piece of chargePieces(buildRequest(agentId), env, {}, makePieces(name)))
      text += piece;
    return text;
  };
  const texts = await Promise.all([
    ...['a', 'b', 'c', 'd'].map((name) => read('greedy', name)),
    read('other', 'x'),
  ]);
  expect(texts).toEqual(['a', 'b', 'c', 'd', 'x'].map((n) => `${n}0 ${n}1 ${n}2 `));
  // Before each of its own, the other one waits for two pieces of somebody else at most.
  expect(made.indexOf('x')).toBeLessThanOrEqual(2);
  expect(made.lastIndexOf('x')).toBeLessThan(3 * PIECES);
});

it('[attack.21-3] (API4) waits for bytes of a store out of turn', async () => {
  let arrive: (() => void) | undefined;
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  async function* makePieces(name: string): AsyncGenerator<string> {
    yield name;
  }
  const slow = { [Symbol.asyncIterator]: () => makePieces('file'), ready: () => arrival };
  const file = chargePieces(buildRequest('a'), env, {}, slow).next();
  const read = chargePieces(buildRequest('b'), env, {}, makePieces('text')).next();
  expect(await read).toEqual({ done: false, value: 'text' });
  arrive?.();
  expect(await file).toEqual({ done: false, value: 'file' });
});

it('[attack.14-1] (API4) datasets wait for each other only, statement by statement', async () => {
  const release: (() => void)[] = [];
  async function* makeFigures(): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(0);
    await new Promise<void>((resolve) => void release.push(resolve));
    yield Buffer.from('rows');
  }
  const figures = chargePieces(buildRequest('a'), env, { figures: true }, makeFigures());
  const first = figures.next();
  async function* makePieces(): AsyncGenerator<string> {
    yield 'piece';
  }
  const texts: unknown[] = [];
  for await (const piece of chargePieces(buildRequest('b'), env, {}, makePieces()))
    texts.push(piece);
  expect(texts).toEqual(['piece']);
  while (release.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  release[0]?.();
  // A statement without rows is a turn, and nothing that is sent.
  expect(String((await first).value)).toBe('rows');
  expect((await figures.next()).done).toBe(true);
});

it('[attack.5-3] ends the export whose reader leaves', async () => {
  let isEnded = false;
  async function* makePieces(): AsyncGenerator<string> {
    try {
      for (;;) yield 'piece';
    } finally {
      isEnded = true;
    }
  }
  for await (const _ of chargePieces(buildRequest('a'), env, {}, makePieces())) break;
  expect(isEnded).toBe(true);
});
