import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Content } from '../kernel/content.ts';
import type { ContentOperation } from '../kernel/operation/content-operation.ts';
import type { Call, Environment } from '../kernel/pipeline/environment.ts';
import { fail, invalid } from '../kernel/errors.ts';
import { openContent } from '../kernel/pipeline/open-content.ts';
import { fence, trustMark } from './tool-results.ts';
import { LONGEST_PART, USUAL_PART } from './tool-schemas.ts';

/** A whole thread may be long; what is longer is read in pages. */
const LONGEST_RESOURCE = 8 * 1024 * 1024;

/** All that is opened. Errors: `payload_too_large` beyond `limit` bytes. */
async function bytesOf(pieces: AsyncIterable<Uint8Array | string>, limit: number): Promise<Buffer> {
  const read: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece as Uint8Array);
    size += bytes.length;
    if (size > limit)
      throw fail(
        'payload_too_large',
        `This is larger than ${limit} bytes. Read it in parts, or over HTTP.`,
        { limit },
      );
    read.push(bytes);
  }
  return Buffer.concat(read);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes as text; undefined when they are no UTF-8. Where more follow, a last character that is cut is left to the next part. */
export function textOf(bytes: Buffer, moreFollow: boolean): string | undefined {
  const mostCut = moreFollow ? Math.min(3, bytes.length - 1) : 0;
  for (let cut = 0; cut <= mostCut; cut++) {
    try {
      return utf8.decode(bytes.subarray(0, bytes.length - cut));
    } catch {
      // Perhaps it is the cut that is wrong.
    }
  }
  return undefined;
}

function numberOf(
  value: unknown,
  name: string,
  fallback: number,
  least: number,
  most: number,
): number {
  if (value === undefined) return fallback;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
    throw invalid(`/arguments/${name}`, `must be a whole number from ${least} to ${most}`);
  return value;
}

const isText = (mediaType: string): boolean => /^text\/|[/+]json\b|[/+]xml\b/.test(mediaType);

/** A part of some bytes, as text where they are text. Errors: those of the operation, `invalid_request`, `range_not_satisfiable`. */
export async function readPart(
  env: Environment,
  operation: ContentOperation,
  call: Call,
  range: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  const { content } = await openContent(env, operation, call);
  const { mediaType, size = 0, download = null } = content;
  const offset = numberOf(range.offset, 'offset', 0, 0, Number.MAX_SAFE_INTEGER);
  const length = numberOf(range.length, 'length', USUAL_PART, 1, LONGEST_PART);
  if (offset > size)
    throw fail('range_not_satisfiable', `There are ${size} bytes. Ask for a part inside of them.`);
  const bytes =
    offset === size
      ? Buffer.alloc(0)
      : await bytesOf(
          content.open({ start: offset, end: Math.min(offset + length, size) - 1 }),
          LONGEST_PART,
        );
  const text = isText(mediaType) ? textOf(bytes, offset + bytes.length < size) : undefined;
  const read = text === undefined ? bytes.length : Buffer.byteLength(text);
  const part = {
    mediaType,
    name: download,
    size,
    offset,
    nextOffset: offset + read < size ? offset + read : null,
    encoding: text === undefined ? 'base64' : 'utf8',
    content: text ?? bytes.toString('base64'),
  };
  const json = JSON.stringify(part);
  return {
    content: [{ type: 'text', text: operation.untrusted ? fence(json, env.random) : json }],
    structuredContent: part,
    _meta: trustMark(operation.untrusted),
  };
}

/** All of some bytes as the contents of a resource. Errors: those of the operation, `payload_too_large`. */
export async function readWhole(
  env: Environment,
  operation: ContentOperation,
  call: Call,
): Promise<{ readonly content: Content; readonly bytes: Buffer }> {
  const { content } = await openContent(env, operation, call);
  return { content, bytes: await bytesOf(content.open(), LONGEST_RESOURCE) };
}
