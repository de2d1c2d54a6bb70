import { parseAnswer } from '../parse-answer.ts';
import { readBodyText } from '../read-body.ts';
import { parseUrl } from './parse-url.ts';
import { ReceiptError } from './receipt-fault.ts';
import { readView } from './receipt-form.ts';
import {
  type Check,
  checkCurrent,
  type Trust,
  type Verdict,
  verifyReceipt,
} from './verify-receipt.ts';

/** How to check a receipt with its installation. */
export interface CheckOptions {
  /** The installation whose keys are trusted; by default the one that the receipt names. */
  readonly issuer?: string | undefined;
  /**
   * The present address of that installation, if its receipts name a former one. It needs `issuer`:
   * else the receipt itself would say who issued it.
   */
  readonly at?: string | undefined;
  /**
   * The key of an agent, for private receipts. It is sent to that installation only, which `issuer`
   * must name: the address in a receipt may be a stranger's.
   */
  readonly apiKey?: string | undefined;
  readonly fetch?: typeof fetch;
}

const MAX_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 15_000;

/**
 * Fetches a text from an address. It follows no redirect, so keys come from exactly the named
 * address.
 * Errors: ReceiptError `not_reachable`.
 */
export async function fetchText(
  address: string,
  { apiKey, fetch: send = fetch }: Pick<CheckOptions, 'apiKey' | 'fetch'> = {},
  maxBytes: number = MAX_BYTES,
): Promise<string> {
  try {
    const headers = {
      accept: 'application/json, text/plain',
      ...(apiKey !== undefined && { 'x-api-key': apiKey }),
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await send(address, { headers, redirect: 'error', signal });
    if (!response.ok)
      throw new ReceiptError('not_reachable', `${address} answers ${response.status}.`);
    const text = await readBodyText(response, { maxBytes, signal });
    if (text !== null) return text;
    throw new ReceiptError('not_reachable', `${address} answers with more than ${maxBytes} bytes.`);
  } catch (cause) {
    if (cause instanceof ReceiptError) throw cause;
    throw new ReceiptError('not_reachable', `${address} cannot be read.`, { cause });
  }
}

function parseFrom(address: string, text: string): unknown {
  try {
    return parseAnswer(text);
  } catch (cause) {
    throw new ReceiptError('not_reachable', `${address} does not answer with JSON.`, {
      cause,
    });
  }
}

/**
 * Fetches the keys of an installation from the addresses that its manifest names, which must be its
 * own.
 * Errors: ReceiptError `not_reachable`, `other_issuer`.
 */
async function fetchTrust(
  issuer: string,
  at: string,
  options: Pick<CheckOptions, 'fetch'>,
): Promise<Trust> {
  const manifest = `${at}/.well-known/service.json`;
  const { links } = (parseFrom(manifest, await fetchText(manifest, options)) ?? {}) as {
    links?: { jwks?: unknown; log?: unknown };
  };
  const getLink = (what: 'jwks' | 'log'): string => {
    const address = links?.[what];
    const url = typeof address === 'string' ? parseUrl(address) : null;
    if (url?.origin !== new URL(at).origin)
      throw new ReceiptError(
        'other_issuer',
        `The manifest of ${at} does not name a "${what}" of its own.`,
      );
    return url.href;
  };
  const [jwks, logKey] = await Promise.all([
    fetchText(getLink('jwks'), options),
    fetchText(`${getLink('log')}/vkey`, options),
  ]);
  return { issuer, jwks: parseFrom(getLink('jwks'), jwks), logKey: logKey.trim() };
}

const toUnreachableCheck = (error: unknown): Check => {
  if (!(error instanceof ReceiptError)) throw error;
  return { name: 'state', fault: error.code, text: error.message };
};

/**
 * Checks a receipt with the data of its installation: its keys, its log, and the present state of
 * the receipt's subject.
 * Errors: ReceiptError when the installation cannot be reached, or its manifest names keys of
 * another one; TypeError for a key or `at` without `issuer`.
 *
 * @example
 * import { readFile } from 'node:fs/promises';
 * import { checkReceipt } from 'stoa-client/receipts';
 *
 * const receipt: unknown = JSON.parse(await readFile('receipt.json', 'utf8'));
 * const { checks } = await checkReceipt(receipt, { issuer: 'https://stoa.example.org' });
 * for (const { name, fault, text } of checks) console.log(name, fault ?? 'ok', text);
 */
export async function checkReceipt(value: unknown, options: CheckOptions = {}): Promise<Verdict> {
  const { apiKey, ...anyone } = options;
  if (options.issuer === undefined && (apiKey !== undefined || options.at !== undefined))
    throw new TypeError('With a key, or `at`, name the installation that you trust: `issuer`.');
  const { id, receipt } = readView(value);
  const issuer = options.issuer ?? receipt.payload.iss;
  const at = (options.at ?? issuer).replace(/\/+$/, '');
  // A receipt that contradicts itself is rejected without a request, because it names the address.
  const selfCheck = await verifyReceipt(value, { issuer, jwks: null, logKey: '' });
  if (selfCheck.checks.at(-1)?.name !== 'key') return selfCheck;
  const verdict = await verifyReceipt(value, await fetchTrust(issuer, at, anyone));
  if (!verdict.holds || !verdict.view) return verdict;
  const address = `${at}/e/${id}.json`;
  const { view } = verdict;
  const state = await fetchText(address, options).then(
    (text) => checkCurrent(view, parseFrom(address, text)),
    toUnreachableCheck,
  );
  return { ...verdict, holds: state.fault === null, checks: [...verdict.checks, state] };
}
