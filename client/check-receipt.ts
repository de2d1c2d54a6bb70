import { ReceiptError } from './receipt-fault.ts';
import { readView } from './receipt-form.ts';
import { parseUrl } from './parse-url.ts';
import {
  type Check,
  checkCurrent,
  type Trust,
  type Verdict,
  verifyReceipt,
} from './verify-receipt.ts';

export interface CheckOptions {
  /** Installation whose keys are trusted; by default the one that the receipt names. */
  readonly issuer?: string | undefined;
  /** Where that installation answers now, if no longer at the address that its receipts name. */
  readonly at?: string | undefined;
  /** Key of an agent, for private receipts; sent to that installation only. */
  readonly apiKey?: string | undefined;
  readonly fetch?: typeof fetch;
}

const MAX_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 15_000;

const originOf = (address: unknown): string | undefined =>
  typeof address === 'string' ? parseUrl(address)?.origin : undefined;

/** The body of an answer, no more of it than any of ours has. */
async function read(response: Response, address: string, most: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > most)
      throw new ReceiptError('not_reachable', `${address} answers with more than ${most} bytes.`);
    pieces.push(piece);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(whole);
}

/** What an address answers. No redirect is followed: keys come from where they are said to be. Errors: ReceiptError `not_reachable`. */
export async function fetchText(
  address: string,
  { apiKey, fetch: send = fetch }: Pick<CheckOptions, 'apiKey' | 'fetch'> = {},
  most: number = MAX_BYTES,
): Promise<string> {
  try {
    const headers = {
      accept: 'application/json, text/plain',
      ...(apiKey !== undefined && { 'x-api-key': apiKey }),
    };
    const response = await send(address, {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok)
      throw new ReceiptError('not_reachable', `${address} answers ${response.status}.`);
    return await read(response, address, most);
  } catch (cause) {
    if (cause instanceof ReceiptError) throw cause;
    throw new ReceiptError('not_reachable', `${address} cannot be read.`, { cause });
  }
}

function parsed(text: string, address: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ReceiptError('not_reachable', `${address} answers with something else than JSON.`, {
      cause,
    });
  }
}

/** Keys of an installation: from addresses of its own that its manifest names. Errors: ReceiptError. */
async function fetchTrust(
  issuer: string,
  at: string,
  options: Pick<CheckOptions, 'fetch'>,
): Promise<Trust> {
  const manifest = `${at}/.well-known/service.json`;
  const { links } = (parsed(await fetchText(manifest, options), manifest) ?? {}) as {
    links?: { jwks?: unknown; log?: unknown };
  };
  const named = (what: 'jwks' | 'log'): string => {
    const address = links?.[what];
    if (originOf(address) !== new URL(at).origin)
      throw new ReceiptError(
        'other_issuer',
        `The manifest of ${at} names no "${what}" of its own.`,
      );
    return String(address);
  };
  const [jwks, logKey] = await Promise.all([
    fetchText(named('jwks'), options),
    fetchText(`${named('log')}/vkey`, options),
  ]);
  return { issuer, jwks: parsed(jwks, named('jwks')), logKey: logKey.trim() };
}

const unreachable = (error: unknown): Check => {
  if (!(error instanceof ReceiptError)) throw error;
  return { name: 'state', fault: error.code, text: error.message };
};

/**
 * Checks a receipt with all that the installation says: its keys, its log, and what became of the act since.
 * Errors: ReceiptError when the installation cannot be asked, or its manifest names keys of others.
 */
export async function checkReceipt(value: unknown, options: CheckOptions = {}): Promise<Verdict> {
  const { id, receipt } = readView(value);
  const issuer = options.issuer ?? receipt.payload.iss;
  const at = (options.at ?? issuer).replace(/\/+$/, '');
  // What does not even fit itself is told without asking anyone: the address stands in it.
  const alone = await verifyReceipt(value, { issuer, jwks: null, logKey: '' });
  if (alone.checks.at(-1)?.name !== 'key') return alone;
  const verdict = await verifyReceipt(value, await fetchTrust(issuer, at, options));
  if (!verdict.holds || !verdict.view) return verdict;
  const address = `${at}/e/${id}.json`;
  const { view } = verdict;
  const state = await fetchText(address, options).then(
    (text) => checkCurrent(view, parsed(text, address)),
    unreachable,
  );
  return { ...verdict, holds: state.fault === null, checks: [...verdict.checks, state] };
}
