import { setImmediate as nextTurn } from 'node:timers/promises';
import { failField } from '../kernel/errors.ts';

/** Characters of base64 that are decoded in one turn. */
const TURN_CHARACTERS = 256 * 1024;
/** The length of the longest escape in JSON, such as \u002b. */
const ESCAPE_LENGTH = 6;

const failBase64 = () =>
  failField('/arguments/content', 'must be base64 (RFC 4648), padded, without line ends');

/** Returns the value of a piece of a JSON string. Errors: `invalid_request`. */
function parseEscapes(piece: string): string {
  if (!piece.includes('\\')) return piece;
  try {
    return JSON.parse(`"${piece}"`) as string;
  } catch {
    throw failBase64();
  }
}

/** Decodes base64. Buffer.from stops silently at the first character that is not base64. */
export function decodeBase64(text: string): Buffer {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw failBase64();
  return Buffer.from(text, 'base64');
}

/**
 * Decodes the base64 of a string that was left in JSON, in turns. Some clients escape "/" and "+".
 * Errors: `invalid_request`.
 */
export async function* decodeLongContent(escaped: Buffer): AsyncGenerator<Buffer> {
  let undecoded = '';
  let text = '';
  for (let at = 0; at < escaped.length; at += TURN_CHARACTERS) {
    const isLast = at + TURN_CHARACTERS >= escaped.length;
    const piece = undecoded + escaped.toString('latin1', at, at + TURN_CHARACTERS);
    // An escape is not cut in two.
    const backslash = piece.indexOf('\\', Math.max(0, piece.length - ESCAPE_LENGTH));
    const end = isLast || backslash < 0 ? piece.length : backslash;
    text += parseEscapes(piece.slice(0, end));
    undecoded = piece.slice(end);
    const whole = isLast ? text.length : text.length - (text.length % 4);
    const part = text.slice(0, whole);
    // Only the end of all is padded.
    if (!isLast && part.includes('=')) throw failBase64();
    yield decodeBase64(part);
    text = text.slice(whole);
    await nextTurn();
  }
}
