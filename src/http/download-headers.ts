import type { IncomingHttpHeaders } from 'node:http';
import { create as createDisposition } from 'content-disposition';
import parseRanges from 'range-parser';
import type { ByteRange } from '../blobs/blobs.ts';

/**
 * Returns the Content-Disposition of a download (RFC 6266): its name in UTF-8, and a name in plain
 * letters for clients that do not read UTF-8.
 */
export function buildContentDisposition(name: string): string {
  // Some clients unescape backslashes and percent signs in the plain name, and some do not.
  const fallback = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_');
  return createDisposition(name, { fallback });
}

/** A header that asks for one range of bytes. */
const SINGLE_RANGE = /^bytes=\s*(?=-?\d)(\d*)-(\d*)\s*$/i;

/**
 * Returns the part of `size` bytes that a request asks for (RFC 9110, 14.2). It is undefined for
 * the whole content: without a range, for a range that is malformed, for several ranges, and for a
 * part of another version. It is null when there is no such part.
 */
export function parseRange(
  { range = '', 'if-range': ifRange }: IncomingHttpHeaders,
  size: number,
  etag: string,
): ByteRange | undefined | null {
  const [, first, last] = SINGLE_RANGE.exec(range) ?? [];
  if (first === undefined || last === undefined || (ifRange !== undefined && ifRange !== etag))
    return undefined;
  // The library finds no part in these two. RFC 9110 (14.1.1 and 14.1.2) ignores a range that ends
  // before it begins, and takes a suffix that is longer than the content for all of it.
  if (last !== '' && Number(last) < Number(first)) return undefined;
  const header = first === '' ? `bytes=-${Math.min(Number(last), size)}` : range;
  const ranges = parseRanges(size, header);
  return typeof ranges === 'number' ? null : (ranges[0] ?? null);
}
