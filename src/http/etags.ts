import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Returns a strong entity tag for a body (RFC 9110, 8.8.3). */
export const computeEtag = (body: string | Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url')}"`;

/** The encodings of compressed answers, the preferred one first. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** Returns the tag of a compressed answer: its bytes are others (RFC 9110, 8.8.3). */
export const addEncoding = (etag: string, encoding: Encoding): string =>
  etag.replace(/"$/, `-${encoding}"`);

/** Returns the tag of an answer from that of its compressed form. */
const removeEncoding = (etag: string): string => etag.replace(/-(?:br|gzip)"$/, '"');

/**
 * Whether a header If-None-Match matches a tag (RFC 9110, 13.1.2). It is a list of tags, which are
 * compared weakly and whatever the encoding, or "*".
 */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' ||
    header.split(',').some((tag) => removeEncoding(tag.trim().replace(/^W\//, '')) === etag));

/**
 * Sends a 304 without a length. Fastify would add Content-Length: 0, which would be the length of
 * the content (RFC 9110, 8.6).
 */
export const sendUnchanged = (reply: FastifyReply): FastifyReply =>
  reply.code(304).send(Readable.from([]));
