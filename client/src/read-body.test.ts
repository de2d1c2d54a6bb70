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

it('[attack.44-8] (API10) keeps no more of small pieces than their bytes', async () => {
  const pieces = 200_000;
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array([sent % 256]));
      if (++sent === pieces) controller.close();
    },
  });
  // With a list of the pieces, putting them together is a RangeError.
  const bytes = await readBody(new Response(body), { maxBytes: pieces });
  expect(bytes).toEqual(Uint8Array.from({ length: pieces }, (_, nr) => nr % 256));
});

it('[attack.7-4] (API10) ends with the reason of its signal', async () => {
  const abort = new AbortController();
  const reading = readBody(new Response(new ReadableStream()), {
    maxBytes: 10,
    signal: abort.signal,
  });
  abort.abort(new Error('I left.'));
  await expect(reading).rejects.toThrow('I left.');
  await expect(
    readBody(new Response('abc'), { maxBytes: 10, signal: abort.signal }),
  ).rejects.toThrow('I left.');
});
