import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { readForm } from './form-part.ts';

const HEAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
const PIECE_BYTES = 64 * 1024;

/** A form whose pieces arrive as they are asked for, and the number of bytes that were. */
function createMessage(body: string) {
  const bytes = Buffer.from(body);
  let read = 0;
  const stream = new Readable({
    highWaterMark: PIECE_BYTES,
    read() {
      const piece = bytes.subarray(read, read + PIECE_BYTES);
      read += piece.length;
      this.push(piece.length > 0 ? piece : null);
    },
  });
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  return {
    message: Object.assign(stream, { headers }) as never as IncomingMessage,
    count: () => read,
  };
}

it.each([
  ['behind a file', `${HEAD}X`],
  ['behind a part without the end of its head', '--x\r\n'],
])('[attack.36-1] (API4) parts %s end the form before the next piece', async (_, beginning) => {
  const { message, count } = createMessage(beginning + '\r\n--x'.repeat(400_000));
  const { part, end } = readForm(message);
  await expect(end).rejects.toMatchObject({ code: 'invalid_request' });
  await part.catch(() => {});
  expect(count()).toBeLessThanOrEqual(3 * PIECE_BYTES);
});

it('[attack.36-1] a file of many lines that resemble the boundary is read whole', async () => {
  const text = '\r\n--'.repeat(100_000);
  const { message } = createMessage(`${HEAD}${text}\r\n--x--\r\n`);
  const { part, end } = readForm(message);
  const { bytes = Readable.from([]), ...head } = (await part) ?? {};
  expect(head).toEqual({ field: 'file', filename: 'a', mediaType: 'text/plain' });
  expect((await buffer(bytes)).toString()).toBe(text);
  await end;
});
