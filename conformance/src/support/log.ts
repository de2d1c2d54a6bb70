import { createPublicKey, verify } from 'node:crypto';
import { expectEqual } from './expectations.ts';
import { Skip } from './send.ts';
import type { World } from './world.ts';

/* The log as C2SP defines it: signed notes, and entries in tiles. */

/** The parts of a signed note: the text that is signed, and the signature of a key. */
export function readNote(note: string, vkey: string) {
  const [, name = '', encoded = ''] = /^([^+]+)\+[0-9a-f]{8}\+(\S+)$/.exec(vkey.trim()) ?? [];
  const key = Buffer.from(encoded, 'base64').subarray(1);
  const end = note.indexOf('\n\n');
  const line =
    note
      .slice(end + 2)
      .split('\n')
      .find((one) => one.startsWith(`\u2014 ${name} `)) ?? '';
  const signature = Buffer.from(line.slice(`\u2014 ${name} `.length), 'base64').subarray(4);
  return { text: note.slice(0, end + 1), name, key, signature };
}

/** Whether an Ed25519 key, as 32 bytes, signed these words. */
export const isSigned = (text: string, key: Uint8Array, signature: Uint8Array): boolean =>
  verify(
    null,
    Buffer.from(text),
    createPublicKey({
      format: 'jwk',
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key).toString('base64url') },
    }),
    signature,
  );

const TILE = 256;
/** More entries than this are too many to read in a check. */
const MOST_ENTRIES = 50_000;

/** The address of a tile: groups of three digits, all but the last one marked. */
const formatIndex = (index: number): string =>
  String(index)
    .padStart(Math.ceil(String(index).length / 3) * 3, '0')
    .replace(/\d{3}(?=\d)/g, 'x$&/');

/** Reads a bundle of entries, each of which has its length before it. */
function parseEntries(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = view.getUint16(at);
    entries.push(bytes.subarray(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return entries;
}

/** Reads all entries of a tree of this size. */
export async function readEntries(world: World, size: number): Promise<Uint8Array[]> {
  if (size > MOST_ENTRIES) throw new Skip(`the log has more than ${MOST_ENTRIES} entries`);
  const entries: Uint8Array[] = [];
  for (let index = 0; entries.length < size; index += 1) {
    const width = Math.min(TILE, size - entries.length);
    const part = width < TILE ? `.p/${width}` : '';
    const answer = await world.get(`/log/tile/entries/${formatIndex(index)}${part}`);
    expectEqual(answer.status, 200, 'the status', answer);
    const found = parseEntries(answer.bytes);
    expectEqual(found.length, width, 'the number of entries', answer);
    entries.push(...found);
  }
  return entries;
}
