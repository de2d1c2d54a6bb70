import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Credential } from '../kernel/errors.ts';
import type { Installation } from '../kernel/installation.ts';
import type { RateState } from '../kernel/limits/rate-limits.ts';
import type { ContentSpec } from '../kernel/operation/content-operation.ts';
import type { Reply, Spec } from '../kernel/operation/spec.ts';
import type { CallResult } from '../kernel/pipeline/environment.ts';

const EXPOSED =
  'Content-Disposition, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, ' +
  'Retry-After, X-Budget-Spent, X-Content-Trust, X-Request-Id, X-Total-Count';

/** Sets RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers). */
export function setRateHeaders(
  reply: FastifyReply,
  { policy, rate, remaining, reset }: RateState,
): void {
  reply.header('ratelimit-policy', `"${policy}";q=${rate.tokens};w=${rate.seconds}`);
  reply.header('ratelimit', `"${policy}";r=${remaining};t=${reset}`);
}

/** The header in which each kind of caller sends its credential. */
export const credentialHeaders: Readonly<Record<Credential, string>> = {
  agent: 'X-API-Key',
  admin: 'X-Admin-Key',
  context: 'X-Context-Key',
};

const CREDENTIALS = [...new Set(Object.values(credentialHeaders))];

/**
 * Whether a request has a credential, valid or not, even one that its operation ignores. Pages of
 * other origins may not read the answers to such requests.
 */
export const carriesCredential = ({ headers }: FastifyRequest): boolean =>
  CREDENTIALS.some((name) => headers[name.toLowerCase()] !== undefined);

/**
 * Whether pages of any origin may read the answers of an operation. They may read public reads that
 * are sent without credentials, and nothing else.
 */
export const allowsCors = (spec: Pick<Spec, 'auth' | 'method'>): boolean =>
  spec.auth === 'public' && spec.method === 'GET';

/** Sets the headers that let pages of any origin read an answer, where the setting allows it. */
export function setCorsHeaders(reply: FastifyReply, { cors }: Pick<Installation, 'cors'>): void {
  if (!cors) return;
  reply.header('access-control-allow-origin', '*');
  reply.header('access-control-expose-headers', EXPOSED);
}

/**
 * Returns the link to the next page of a list (RFC 8288): this address, after the last row of this
 * page or, where rows have no id of their own, with a larger offset.
 */
function buildNextLink(
  request: FastifyRequest,
  baseUrl: string,
  { next, nextOffset, excerptFrom }: Reply,
): string {
  const url = new URL(request.url, baseUrl);
  if (excerptFrom === undefined) url.searchParams.delete('excerptFrom');
  else {
    url.searchParams.set('excerptFrom', String(excerptFrom));
    return `<${url}>; rel="next"`;
  }
  if (next !== undefined) {
    url.searchParams.delete('offset');
    for (const [name, value] of Object.entries(next)) url.searchParams.set(name, value);
    return `<${url}>; rel="next"`;
  }
  const offset = Number(url.searchParams.get('offset') ?? 0);
  const limit = Number(url.searchParams.get('limit') ?? 50);
  url.searchParams.set('offset', String(nextOffset ?? offset + limit));
  return `<${url}>; rel="next"`;
}

/** Returns the Cache-Control of a public answer. */
function buildCacheControl({ cacheFor }: Pick<Spec, 'cacheFor'>): string {
  if (cacheFor === 'immutable') return 'public, max-age=31536000, immutable';
  return cacheFor === undefined ? 'public, no-cache' : `public, max-age=${cacheFor}`;
}

/** Sets the headers of a successful answer that depend on its operation and its result. */
export function setResultHeaders(
  reply: FastifyReply,
  request: FastifyRequest,
  spec: Pick<Spec, 'auth' | 'method' | 'secret' | 'untrusted' | 'cacheFor' | 'toMarkdown'> &
    Pick<ContentSpec, 'forPeople' | 'markdown'>,
  result: Omit<CallResult, 'body' | 'read'>,
  installation: Pick<Installation, 'baseUrl' | 'cors'>,
): void {
  const secret =
    result.credentialed || result.reply.private || spec.secret || spec.method !== 'GET';
  reply.header('cache-control', secret ? 'private, no-store' : buildCacheControl(spec));
  if (allowsCors(spec)) {
    // Pages also differ by the cookie of a session. Other public answers are the same with and
    // without it.
    const names = [
      ...CREDENTIALS,
      ...(spec.forPeople ? ['Cookie'] : []),
      ...(spec.markdown || spec.toMarkdown ? ['Accept'] : []),
    ];
    reply.header('vary', names.join(', '));
    if (!secret && !carriesCredential(request)) setCorsHeaders(reply, installation);
  }
  if (spec.untrusted) reply.header('x-content-trust', 'untrusted');
  if (result.replayed) reply.header('idempotency-replayed', 'true');
  if (result.reply.total !== undefined) reply.header('x-total-count', result.reply.total);
  const { more, spent } = result.reply;
  if (more) reply.header('link', buildNextLink(request, installation.baseUrl, result.reply));
  if (spent !== undefined) reply.header('x-budget-spent', spent);
}
