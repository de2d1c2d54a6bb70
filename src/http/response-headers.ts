import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Result } from '../kernel/pipeline/environment.ts';
import type { Credential } from '../kernel/errors.ts';
import type { RateState } from '../kernel/callers/rate-limits.ts';
import type { Spec } from '../kernel/operation/spec.ts';

const EXPOSED =
  'Content-Disposition, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Content-Trust, X-Request-Id, X-Total-Count';

/** RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers). */
export function rateHeaders(
  reply: FastifyReply,
  { policy, rate, remaining, reset }: RateState,
): void {
  reply.header('ratelimit-policy', `"${policy}";q=${rate.tokens};w=${rate.seconds}`);
  reply.header('ratelimit', `"${policy}";r=${remaining};t=${reset}`);
}

/** Where each kind of caller carries its credential. */
export const credentialHeader: Readonly<Record<Credential, string>> = {
  agent: 'X-API-Key',
  admin: 'X-Admin-Key',
  context: 'X-Context-Key',
};

const CREDENTIALS = [...new Set(Object.values(credentialHeader))];

/** Whether a request has a credential, right or wrong, read by its operation or not: none is welcome from a page. */
export const carriesCredential = ({ headers }: FastifyRequest): boolean =>
  CREDENTIALS.some((name) => headers[name.toLowerCase()] !== undefined);

/** Public reads may be read from any page, without credentials; nothing else may. */
export const isOpenToPages = (spec: Pick<Spec, 'auth' | 'method'>): boolean =>
  spec.auth === 'public' && spec.method === 'GET';

export function corsHeaders(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*');
  reply.header('access-control-expose-headers', EXPOSED);
}

export const strongEtag = (body: string | Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url')}"`;

/** RFC 9110 If-None-Match: a list of tags, compared weakly, or "*". */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' ||
    header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));

/** 304 without a length: to an empty HEAD Fastify gives 0, which would be the length of the content (RFC 9110, 8.6). */
export const sendUnchanged = (reply: FastifyReply): FastifyReply =>
  reply.code(304).send(Readable.from([]));

/** RFC 8288 link to the next page of a list: the same address with the offset moved. */
function nextLink(request: FastifyRequest, baseUrl: string): string {
  const url = new URL(request.url, baseUrl);
  const offset = Number(url.searchParams.get('offset') ?? 0);
  const limit = Number(url.searchParams.get('limit') ?? 50);
  url.searchParams.set('offset', String(offset + limit));
  return `<${url}>; rel="next"`;
}

/** What caches may do with a public answer. */
function publicCaching({ keep }: Pick<Spec, 'keep'>): string {
  if (keep === 'for ever') return 'public, max-age=31536000, immutable';
  return keep === undefined ? 'public, no-cache' : `public, max-age=${keep}`;
}

/** Everything around a successful body. */
export function resultHeaders(
  reply: FastifyReply,
  request: FastifyRequest,
  spec: Pick<Spec, 'auth' | 'method' | 'secret' | 'untrusted' | 'keep'> & {
    readonly forPeople?: true;
  },
  result: Omit<Result, 'body'>,
  baseUrl: string,
): void {
  const secret =
    result.credentialed || result.reply.private || spec.secret || spec.method !== 'GET';
  reply.header('cache-control', secret ? 'private, no-store' : publicCaching(spec));
  if (isOpenToPages(spec)) {
    // A page may be somebody's by a cookie as well; whatever is anybody's is the same with and without.
    reply.header('vary', [...CREDENTIALS, ...(spec.forPeople ? ['Cookie'] : [])].join(', '));
    if (!secret && !carriesCredential(request)) corsHeaders(reply);
  }
  if (spec.untrusted) reply.header('x-content-trust', 'untrusted');
  if (result.replayed) reply.header('idempotency-replayed', 'true');
  if (result.reply.total !== undefined) reply.header('x-total-count', result.reply.total);
  if (result.reply.more) reply.header('link', nextLink(request, baseUrl));
}
