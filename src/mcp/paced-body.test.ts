import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createPacedBody } from './paced-body.ts';

/** A body that is written whether or not anybody reads it, as the library does. */
function createBody() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own;
    },
    cancel() {
      isCancelled = true;
    },
  });
  const write = (text: string) => controller?.enqueue(Buffer.from(text));
  return {
    body,
    write,
    close: () => controller?.close(),
    fail: (error: Error) => controller?.error(error),
    isCancelled: () => isCancelled,
  };
}

async function waitSomeTurns() {
  for (let turn = 0; turn < 10; turn++) await nextTurn();
}

it('[attack.19-1] (API4) a writer waits until the reader has taken everything', async () => {
  const { body, write, close } = createBody();
  const paced = createPacedBody();
  const reader = paced.wrap(body).getReader();
  write('one');
  write('two');
  let isTaken = false;
  const taken = paced.waitUntilTaken().then(() => {
    isTaken = true;
  });
  await waitSomeTurns();
  expect(isTaken).toBe(false);
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('one');
  await waitSomeTurns();
  expect(isTaken).toBe(false);
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('two');
  const third = reader.read();
  await taken;
  await paced.waitUntilTaken();
  // What is written to a reader that waits is not taken before it asks for more.
  write('three');
  let isThirdTaken = false;
  const thirdTaken = paced.waitUntilTaken().then(() => {
    isThirdTaken = true;
  });
  expect(Buffer.from((await third).value ?? []).toString()).toBe('three');
  await waitSomeTurns();
  expect(isThirdTaken).toBe(false);
  const last = reader.read();
  await thirdTaken;
  close();
  expect((await last).done).toBe(true);
  await paced.waitUntilTaken();
});

it('[attack.19-1] (API4) nobody waits for a reader that has left', async () => {
  const { body, write, isCancelled } = createBody();
  const paced = createPacedBody();
  const read = paced.wrap(body);
  write('one');
  const taken = paced.waitUntilTaken();
  await read.cancel();
  await taken;
  expect(isCancelled()).toBe(true);
});

it('[attack.19-1] (API4) nobody waits for a body that failed', async () => {
  const { body, write, fail } = createBody();
  const paced = createPacedBody();
  const reader = paced.wrap(body).getReader();
  write('one');
  await reader.read();
  const taken = paced.waitUntilTaken();
  const second = reader.read();
  fail(new Error('It broke.'));
  await expect(second).rejects.toThrow('It broke.');
  await taken;
});
