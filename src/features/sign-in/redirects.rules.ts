import { parseUrl } from '../../kernel/schema/url.ts';
import type { Fields } from './rules.ts';

const MAX_REDIRECT_LENGTH = 2000;
/** Characters that addresses consist of; parsers disagree about all others. */
export const PLAIN = /^[!-[\]-~]+$/;
/** Hosts as policies may name them (CSP 3, 2.3.1), and addresses of IPv6. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/;
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?(\/.*|\?.*|)$/;
/** Schemes of well-known programs that have no dot, which RFC 8252 (7.1) asks for. */
const PROGRAM_SCHEMES = ['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:', 'zed:', 'kiro:'];
const DOTTED_SCHEME = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:$/;

/**
 * Whether codes may be sent to an address: https, http on this computer, or the scheme of a program
 * (RFC 8252, 7). It has no fragment and no credentials, is written in ASCII, and its host has no
 * character that says something else in a policy or to a person.
 */
export function isRedirect(address: string): boolean {
  if (address.length > MAX_REDIRECT_LENGTH || !PLAIN.test(address) || address.includes('#'))
    return false;
  const url = parseUrl(address);
  if (url?.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return /^https:\/\/[^/]/i.test(address) && HOST.test(url.hostname);
  if (url.protocol === 'http:') return LOOPBACK.test(address);
  return PROGRAM_SCHEMES.includes(url.protocol) || DOTTED_SCHEME.test(url.protocol);
}

/**
 * Whether an address is one that the client named: character by character, but for the port of an
 * address on this computer, which the system chooses (RFC 8252, 7.3).
 */
export function matchesRedirect(named: readonly string[], given: string): boolean {
  if (!isRedirect(given)) return false;
  if (named.includes(given)) return true;
  const [, host, rest] = LOOPBACK.exec(given) ?? [];
  if (host === undefined) return false;
  return named.some((one) => {
    const [, namedHost, namedRest] = LOOPBACK.exec(one) ?? [];
    return namedHost === host && namedRest === rest;
  });
}

/** Returns where a code goes, in words for a person. International names stay in punycode. */
export function describeRedirect(redirect: string): string {
  const url = new URL(redirect);
  if (url.protocol === 'https:') return url.host;
  if (url.protocol === 'http:') return `this computer (${url.host})`;
  return `a program on this computer (${url.protocol})`;
}

/** Characters of a path in a policy. Some proxies take no head of more than 4 KiB. */
const MAX_PATH_LENGTH = 500;

/**
 * Returns the source expression for a redirect in a policy (CSP 3, 2.3.1), without its path if that
 * is long; null if there can be none.
 */
export function toFormTarget(redirect: string): string | null {
  const url = new URL(redirect);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return url.protocol;
  // The grammar has no IPv6 addresses.
  if (url.hostname.startsWith('[')) return null;
  const path = url.pathname.replace(/[;,]/g, (mark) => (mark === ';' ? '%3B' : '%2C'));
  return path.length > MAX_PATH_LENGTH ? url.origin : url.origin + path;
}

/** Adds the parameters of an answer to a redirect, with the issuer (RFC 9207). */
export function buildRedirect(redirect: string, baseUrl: string, answer: Fields): string {
  const url = new URL(redirect);
  for (const [name, value] of Object.entries({ ...answer, iss: baseUrl }))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
