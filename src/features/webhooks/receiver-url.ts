import { domainToUnicode } from 'node:url';
import { fail, type StoaError } from '../../kernel/errors.ts';
import { decodePercent } from '../../kernel/schema/percent-encoding.ts';
import { parseUrl } from '../../kernel/schema/url.ts';

/**
 * Names that, with all names below them, are never public hosts. RFC 6761, RFC 6762, RFC 7686 and
 * RFC 8375 reserve most of them.
 */
const reservedNames = ['localhost', 'localdomain', 'local', 'internal', 'onion', 'home.arpa'];

/** Letters of other scripts that look like the Latin letters of the reserved names. */
const lookalikes = new Map(
  Object.entries({
    a: 'аɑα',
    c: 'сϲⅽ',
    d: 'ԁⅾ',
    e: 'еҽ',
    h: 'һհ',
    i: 'іιıі',
    l: 'ӏⅼǀߊӀ',
    m: 'мⅿ',
    n: 'пոη',
    o: 'оοօσ',
    p: 'рρ',
    r: 'гᴦ',
    s: 'ѕꜱ',
    t: 'тτ',
  }).flatMap(([latin, others]) => [...others].map((other): [string, string] => [other, latin])),
);

const stripAccents = (name: string): string =>
  name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Converts a name to what a hasty reader sees: Latin letters without accents. */
const toLatinLetters = (name: string): string =>
  [...stripAccents(name)].map((letter) => lookalikes.get(letter) ?? letter).join('');

/**
 * Whether the last label of a name mixes Latin letters with others. No public name does; mixing
 * only serves to imitate another name.
 */
const hasMixedEnding = (name: string): boolean =>
  /\.(?=[^.]*\p{Script=Latin})(?=[^.]*\P{ASCII})[^.]*$/u.test(stripAccents(name));

const invalidUrlError = (rule: string): StoaError =>
  fail('invalid_webhook_url', `${rule} Correct the url and send it again.`);

/** What an agent can do whose receiver no public address leads to. */
export const WITHOUT_PUBLIC_ADDRESS =
  'A receiver inside a network of its own needs no webhook: `stoa watch --exec` runs a command ' +
  'for each event, see /docs/webhooks.md#without-a-public-address.';

const notPublicError = (rule: string): StoaError =>
  invalidUrlError(`${rule} ${WITHOUT_PUBLIC_ADDRESS}`);

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

function assertPublicName(host: string): void {
  if (host.endsWith('.')) throw invalidUrlError('The host must not end with a dot.');
  if (/^\[|^[\d.]+$/.test(host))
    throw notPublicError('The host must be a name. IP addresses are not accepted.');
  const labels = host.split('.');
  if (host.length > 253 || !labels.every((label) => LABEL.test(label)))
    throw invalidUrlError('The host is not a valid name.');
  const unicodeHost = domainToUnicode(host);
  const latinHost = toLatinLetters(unicodeHost);
  const reservedName = reservedNames.find((name) =>
    [host, latinHost].some((spelled) => spelled === name || spelled.endsWith(`.${name}`)),
  );
  if (reservedName !== undefined)
    throw notPublicError(
      `The host must be a public name, not "${reservedName}", a name below it or one that ` +
        'looks like it.',
    );
  if (hasMixedEnding(unicodeHost))
    throw invalidUrlError(
      'The host must be a public name. None of those mixes alphabets in its last label.',
    );
  if (labels.length < 2)
    throw notPublicError('The host must be a public name with at least one dot.');
}

/** A key of this service, in lower case. */
const KEY_PATTERN = /stoa_[a-z0-9_-]{20,}/;

/**
 * Asserts the rules of the spec for receivers that an address alone can break; what its name
 * resolves to is checked at each connection. The text is examined as it was sent, because a URL
 * parser repairs what must be rejected. Errors: `invalid_webhook_url` with the broken rule.
 */
export function assertWebhookUrl(text: string, secret: string): void {
  if (/[\s\\\p{C}]/u.test(text))
    throw invalidUrlError(
      'The url must not contain white space, backslashes or control characters.',
    );
  const [, scheme, authority = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(text) ?? [];
  if (scheme?.toLowerCase() !== 'https') throw invalidUrlError('The url must begin with https://.');
  if (authority === '') throw invalidUrlError('The url is not a valid address.');
  if (authority.includes('@')) throw invalidUrlError('The url must not contain user information.');
  if (text.includes('?')) throw invalidUrlError('The url must not have a query.');
  if (text.includes('#')) throw invalidUrlError('The url must not have a fragment.');
  if (authority.includes('%')) throw invalidUrlError('The host must not be percent-encoded.');
  const port = /:(\d*)$/.exec(authority.replace(/^\[.*?\]/, ''))?.[1];
  if (port !== undefined && port !== '443')
    throw notPublicError('The port must be 443: leave it out.');
  const url = parseUrl(text);
  if (!url) throw invalidUrlError('The url is not a valid address.');
  const { hostname, pathname } = url;
  assertPublicName(hostname);
  const path = decodePercent(pathname).toString('latin1').toLowerCase();
  if (KEY_PATTERN.test(path) || (secret !== '' && path.includes(secret.toLowerCase()))) {
    throw invalidUrlError(
      'The path must not contain a secret. Requests are authenticated by their signature.',
    );
  }
}

/** Asserts that a secret is 32 bytes in lowercase hex. Errors: `invalid_webhook_secret`. */
export function assertWebhookSecret(text: string): void {
  if (!/^[0-9a-f]{64}$/.test(text))
    throw fail(
      'invalid_webhook_secret',
      'The secret must be 32 random bytes as 64 lowercase hex digits. Generate one with: ' +
        'openssl rand -hex 32.',
    );
}
