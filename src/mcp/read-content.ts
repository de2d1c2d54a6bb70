import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Content } from '../kernel/content.ts';
import { fail, failField } from '../kernel/errors.ts';
import type { ContentOperation } from '../kernel/operation/content-operation.ts';
import type { Call, Environment } from '../kernel/pipeline/environment.ts';
import { openContent } from '../kernel/pipeline/open-content.ts';
import { assertReaderStays } from '../kernel/pipeline/reads/long-poll.ts';
import { yieldInTurns } from '../kernel/pipeline/reads/yield-in-turns.ts';
import type { ToolExchange } from '../kernel/pipeline/tool-protocol.ts';
import {
  DEFAULT_TOOL_BUDGET,
  MAX_BUDGET,
  MIN_BUDGET,
  measureEscaped,
  measureJson,
  takeExcerpt,
} from '../kernel/text/budget.rules.ts';
import { computeReserve } from './around-answer.ts';
import { formatReadOn } from './read-on.ts';
import { buildResult, buildTrustMark } from './tool-results.ts';
import { DEFAULT_PART_BYTES, MAX_PART_BYTES } from './tool-schemas.ts';

/**
 * The bytes of the longest resource, as they are and as JSON: making the answer of 8 MiB kept the
 * process busy for 0.2 s. What is longer is read in parts.
 */
const MAX_RESOURCE_BYTES = 1024 * 1024;
const MAX_RESOURCE_JSON_BYTES = 2 * 1024 * 1024;

const failTooLarge = (limit: number, measure: string) =>
  fail(
    'payload_too_large',
    `This is larger than ${limit} bytes${measure}. Read a file with read_file, a thread with ` +
      'read_messages, or either over HTTP.',
    { limit },
  );

/**
 * Reads all pieces, and calls `onPiece` with each one and the bytes read so far before it reads the
 * next one.
 * Errors: `payload_too_large` beyond `limit` bytes; those of `onPiece`.
 */
async function readBytes(
  pieces: AsyncIterable<Uint8Array | string>,
  limit: number,
  onPiece: (piece: Buffer, size: number) => void,
): Promise<Buffer> {
  const read: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece as Uint8Array);
    size += bytes.length;
    onPiece(bytes, size);
    if (size > limit) throw failTooLarge(limit, '');
    read.push(bytes);
  }
  return Buffer.concat(read);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes bytes as text; undefined when they are not UTF-8. If more bytes follow, an incomplete
 * last character is left to the next part.
 */
export function decodeText(bytes: Buffer, moreFollow: boolean): string | undefined {
  const mostCut = moreFollow ? Math.min(3, bytes.length - 1) : 0;
  for (let cut = 0; cut <= mostCut; cut++) {
    try {
      return utf8.decode(bytes.subarray(0, bytes.length - cut));
    } catch {
      // The last character may be incomplete: try again without it.
    }
  }
  return undefined;
}

function parseNumber(
  value: unknown,
  name: string,
  fallback: number,
  min: number,
  max: number,
): number {
  if (value === undefined) return fallback;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
    throw failField(`/arguments/${name}`, `must be a whole number from ${min} to ${max}`);
  return value;
}

const isText = (mediaType: string): boolean => /^text\/|[/+]json\b|[/+]xml\b/.test(mediaType);

/**
 * Reads a part of the bytes of a content operation, as text or as base64.
 * Errors: those of the operation, `invalid_request`, `range_not_satisfiable`.
 */
export async function readPart(
  env: Environment,
  operation: ContentOperation,
  call: Call,
  range: Readonly<Record<string, unknown>>,
  hold: ToolExchange['holdAnswer'],
): Promise<CallToolResult> {
  const { content } = await openContent(env, operation, call);
  const { mediaType, size = 0, download = null } = content;
  const offset = parseNumber(range.offset, 'offset', 0, 0, Number.MAX_SAFE_INTEGER);
  const budget = parseNumber(range.budget, 'budget', DEFAULT_TOOL_BUDGET, MIN_BUDGET, MAX_BUDGET);
  const length = parseNumber(range.length, 'length', DEFAULT_PART_BYTES, 1, MAX_PART_BYTES);
  if (offset > size)
    throw fail('range_not_satisfiable', `There are ${size} bytes. Ask for a part inside of them.`);
  const bytes =
    offset === size
      ? Buffer.alloc(0)
      : await readBytes(
          content.open({ start: offset, end: Math.min(offset + length, size) - 1 }),
          MAX_PART_BYTES,
          // As they are, and in the answer.
          (_piece, size) => hold(size * 2),
        );
  const text = isText(mediaType) ? decodeText(bytes, offset + bytes.length < size) : undefined;
  const head = { mediaType, name: download, size, offset, nextOffset: size };
  const encoding = text === undefined ? 'base64' : 'utf8';
  const around = measureJson({ ...head, encoding, content: '' });
  const room = budget - computeReserve(operation.tool ?? '', {}) - around;
  const { piece } = takeExcerpt(text ?? bytes.toString('base64'), 0, room);
  // Four characters of base64 are three bytes. Any other number of them could not be decoded.
  const shown = text === undefined ? piece.slice(0, Math.max(4, piece.length & ~3)) : piece;
  const read = Buffer.from(shown, encoding).length;
  const end = offset + read;
  const part = { ...head, nextOffset: end < size ? end : null, encoding, content: shown };
  const { nextOffset } = part;
  const hasMore = nextOffset !== null;
  const readOn = hasMore ? formatReadOn(operation.tool ?? '', `offset ${nextOffset}`) : null;
  const { untrusted } = operation;
  return {
    ...buildResult(
      JSON.stringify(part),
      part,
      untrusted,
      { hasMore, nextOffset, readOn },
      true,
      env.random,
    ),
    _meta: buildTrustMark(untrusted),
  };
}

/** Counts the bytes of UTF-8 text as JSON, without making it. */
function measureJsonBytes(text: Buffer): number {
  let size = 0;
  for (const byte of text) size += byte < 0x80 ? measureEscaped(byte) : 1;
  return size;
}

/**
 * Reads all bytes of a content operation, for a resource. Whatever is made piece by piece takes
 * turns with all long reads. Its caller pays for what was read as JSON, even if that is too long.
 * Errors: those of the operation, `payload_too_large`; `rate_limited`, `unavailable` from counting.
 */
export async function readWhole(
  env: Environment,
  operation: ContentOperation,
  call: Call,
  hold: ToolExchange['holdAnswer'],
): Promise<{ readonly content: Content; readonly bytes: Buffer }> {
  const { content, caller } = await openContent(env, operation, call);
  const { mediaType, size } = content;
  if (size !== undefined && size > MAX_RESOURCE_BYTES) throw failTooLarge(MAX_RESOURCE_BYTES, '');
  const isPlain = mediaType.startsWith('text/');
  const opened = content.open();
  const pieces = size === undefined ? yieldInTurns(opened, env.longReads, caller) : opened;
  let asJson = 0;
  try {
    const bytes = await readBytes(pieces, MAX_RESOURCE_BYTES, (piece, read) => {
      asJson += isPlain ? measureJsonBytes(piece) : Math.ceil(piece.length / 3) * 4;
      assertReaderStays(call);
      if (asJson > MAX_RESOURCE_JSON_BYTES) throw failTooLarge(MAX_RESOURCE_JSON_BYTES, ' as JSON');
      hold(Math.max(read, asJson) * 2);
    });
    return { content, bytes };
  } finally {
    call.onComputed?.(asJson);
  }
}
