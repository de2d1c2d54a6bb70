import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { fail, toProblem } from '../../kernel/errors.ts';
import { nameHolder } from '../../kernel/limits/caller-names.ts';
import type { Work, WorkMeter } from '../../kernel/limits/work-meter.ts';
import { findCallerAddress } from '../caller-address.ts';
import { whenClosed } from '../request-end.ts';
import { ANONYMOUS_BODY_BYTES } from './body-limits.ts';
import { createKnownCallers, type KnownCallers } from './known-callers.ts';
import { drainMessage } from './refused-body.ts';

/** Seconds after which a refused caller may try again. */
const RETRY_SECONDS = 1;

const overloaded = fail(
  'unavailable',
  'The service has more to do than it can. Repeat the same request, with the same idempotency ' +
    'key, when the seconds of Retry-After are over.',
  { retryAfterSeconds: RETRY_SECONDS },
);

/** Stands for the id of a request in a problem that is serialized once. */
const ANY_ID = '00000000-0000-0000-0000-000000000000';

const NAMED_HTML = /\btext\/html\b/;
const PAGE =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Busy</title>' +
  '<p>The service has more to do than it can. Please reload this page in a few seconds.</p></html>';

const PROBLEM_MEDIA = 'application/problem+json; charset=utf-8';
const headers = [
  ...['Cache-Control', 'private, no-store'],
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['Retry-After', String(RETRY_SECONDS)],
  ...['X-Content-Type-Options', 'nosniff'],
];

/** What refusals need of the service. */
export interface OverloadOptions {
  readonly work: WorkMeter;
  readonly newId: () => string;
  readonly baseUrl: () => string;
  /** The number of proxies in front whose X-Forwarded-For is trusted. */
  readonly trustProxy: number;
  /** Addresses that are always answered. */
  readonly exempt: readonly string[];
  /** Counts a refusal. */
  readonly onRefusal: () => void;
}

interface CountedRequest {
  readonly work: Work;
  readonly callers: KnownCallers;
  /** Whether somebody else ends the work. */
  isTakenOver: boolean;
}

const counted = new WeakMap<IncomingMessage, CountedRequest>();

/** Returns the work of a request, or undefined if it is not counted. */
export const getWork = (request: IncomingMessage): Work | undefined => counted.get(request)?.work;

/** Returns what ends the work of a request, which its connection then does not end any more. */
export function takeOverWork(request: IncomingMessage): () => void {
  const found = counted.get(request);
  if (found) found.isTakenOver = true;
  return () => found?.work.end();
}

/** Says whose a request is, once its key was checked: null if it is nobody's, as one that ended. */
export function identifyWork(request: IncomingMessage, agentId: string | null, address: string) {
  const { work, callers } = counted.get(request) ?? {};
  work?.identify(nameHolder(agentId, address));
  callers?.remember(request.headers, agentId);
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  problem: string,
): void {
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  const isPage = NAMED_HTML.test(request.headers.accept ?? '');
  const body = isPage ? PAGE : problem.replace(ANY_ID, requestId);
  response.writeHead(503, [
    ...['Content-Type', isPage ? 'text/html; charset=utf-8' : PROBLEM_MEDIA],
    ...['Content-Length', String(Buffer.byteLength(body))],
    ...['X-Request-Id', requestId],
    ...headers,
  ]);
  // Node discards a short body itself.
  if (isChunked || Number(request.headers['content-length']) > ANONYMOUS_BODY_BYTES)
    drainMessage(request);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/**
 * Creates a listener that counts the work of requests, and refuses one when the process has too
 * much to do. It refuses before anything else looks at a request: a refusal must cost little beside
 * the work that it saves.
 */
export function refuseOverload(
  listener: RequestListener,
  options: OverloadOptions,
): RequestListener {
  const { work, newId, baseUrl, trustProxy, exempt, onRefusal } = options;
  // The base URL is known once the port is open.
  let problem: string | undefined;
  const callers = createKnownCallers();
  return (request, response) => {
    if (exempt.includes(request.url ?? '')) return listener(request, response);
    const caller = nameHolder(
      callers.find(request.headers) ?? null,
      findCallerAddress(request, trustProxy),
    );
    if (work.mustRefuse(caller)) {
      onRefusal();
      problem ??= JSON.stringify(toProblem(overloaded, baseUrl(), ANY_ID));
      return refuse(request, response, newId(), problem);
    }
    const begun = work.begin(caller);
    const entry = { work: begun, callers, isTakenOver: false };
    counted.set(request, entry);
    whenClosed({ raw: response }, () => entry.isTakenOver || begun.end());
    listener(request, response);
  };
}
