import { expect, it } from 'vitest';
import { createClient } from './client.ts';

const MIB = 1024 * 1024;

/** A client of a server whose answers have this body, and how much of it was read. */
function createVictim(limitMib: number, init: ResponseInit = {}) {
  const read = { mib: 0, cancelled: false };
  const client = createClient({
    baseUrl: 'http://stoa.test/',
    fetch: async () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            if (read.mib >= limitMib) return new Promise(() => {});
            read.mib += 1;
            controller.enqueue(new Uint8Array(MIB).fill(97));
          },
          cancel() {
            read.cancelled = true;
          },
        }),
        { headers: { 'content-type': 'application/json' }, ...init },
      ),
    retry: { tries: 1 },
  });
  return { client, read };
}

it('[attack.7-4] (API10) reads no more of an answer than 32 MiB', async () => {
  const { client, read } = createVictim(64);
  await expect(client.listRooms()).rejects.toThrow('has more than 33554432 bytes');
  expect(read).toEqual({ mib: expect.toSatisfy((mib: number) => mib < 36), cancelled: true });
});

it('[attack.7-4] (API10) reads no more of a problem than 64 KiB', async () => {
  const headers = { 'content-type': 'application/problem+json' };
  const { client, read } = createVictim(64, { status: 400, headers });
  await expect(client.listRooms()).rejects.toThrow('HTTP 400 without a problem document');
  expect(read).toEqual({ mib: expect.toSatisfy((mib: number) => mib < 4), cancelled: true });
});

it('[attack.7-4] (API10) a call ends with its signal although its body does not end', async () => {
  const { client, read } = createVictim(1);
  const abort = new AbortController();
  const call = client.listRooms({ signal: abort.signal });
  setTimeout(() => abort.abort(new Error('enough')), 100);
  await expect(call).rejects.toThrow('enough');
  expect(read.cancelled).toBe(true);
});

it('[attack.7-4] (API10) leaves a file to its reader, however long it is', async () => {
  const { client } = createVictim(1);
  const file = await client.getRobots();
  expect((await file.body?.getReader().read())?.value?.length).toBe(MIB);
});
