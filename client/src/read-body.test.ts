import { expect, it } from 'vitest';
import { readBody } from './read-body.ts';

it('[attack.7-4] (API10) a body of which nothing arrives counts as broken off', async () => {
  let isCancelled = false;
  const body = new ReadableStream({
    cancel() {
      isCancelled = true;
    },
  });
  const reading = readBody(new Response(body), { maxBytes: 10, idleMs: 50 });
  await expect(reading).rejects.toThrow('No byte came for 0.05 s.');
  expect(isCancelled).toBe(true);
});

it('[attack.7-4] (API10) reads a body of exactly as many bytes, and an empty one', async () => {
  const read = async (text: string | null) =>
    (await readBody(new Response(text), { maxBytes: 3 }))?.length;
  expect([await read(null), await read('abc'), await read('abcd')]).toEqual([0, 3, undefined]);
});
