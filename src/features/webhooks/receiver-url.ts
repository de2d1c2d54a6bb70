import { domainToUnicode } from 'node:url';
import { fail, type StoaError } from '../../kernel/errors.ts';
import { parseUrl } from '../../kernel/schema/url.ts';

/** Names, and all names below them, that never are anywhere but near the service. */
const reserved = ['localhost', 'localdomain', 'local', 'internal', 'onion', 'home.arpa'];

/** Letters of other scripts that are read as the Latin ones of the reserved names. */
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

const withoutAccents = (name: string): string =>
  name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** A name as a hasty reader reads it: without accents, in Latin letters. */
const readAs = (name: string): string =>
  [...withoutAccents(name)].map((letter) => lookalikes.get(letter) ?? letter).join('');

/** Whether a name ends as no public one does: in Latin letters with others among them, which only serves to look like another name. */
const endsMixed = (name: string): boolean =>
  /\.(?=[^.]*\p{Script=Latin})(?=[^.]*\P{ASCII})[^.]*$/u.test(withoutAccents(name));

const refused = (rule: string): StoaError =>
  fail('invalid_webhook_url', `${rule} Correct the url and send it again.`);

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

function assertPublicName(host: string): void {
  if (host.endsWith('.')) throw refused('The host must not end with a dot.');
  if (/^\[|^[\d.]+$/.test(host))
    throw refused('The host must be a name: an address is not accepted, in any notation.');
  const labels = host.split('.');
  if (host.length > 253 || !labels.every((label) => LABEL.test(label)))
    throw refused('The host is not a valid name.');
  const shown = domainToUnicode(host);
  const read = readAs(shown);
  const near = reserved.find((name) =>
    [host, read].some((spelled) => spelled === name || spelled.endsWith(`.${name}`)),
  );
  if (near !== undefined)
    throw refused(
      `The host must be a public name: "${near}", what is below it, and what looks like it are not.`,
    );
  if (endsMixed(shown))
    throw refused(
      'The host must be a public name: no such name ends in letters of several alphabets.',
    );
  if (labels.length < 2) throw refused('The host must be a public name with at least one dot.');
}

/** What a key of this service looks like, in lower case. */
const SECRET = /stoa_[a-z0-9_-]{20,}/;

const unescaped = (path: string): string =>
  path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

/**
 * The rules of the spec for where hints go, as far as an address alone can break them; what its name resolves to is checked at each connection.
 * Looks at the text as it was sent: reading it as a URL mends what must be refused. Errors: `invalid_webhook_url` with the broken rule.
 */
export function assertWebhookUrl(text: string, secret: string): void {
  if (/[\s\\\p{C}]/u.test(text))
    throw refused('The url must not contain white space, backslashes or control characters.');
  const [, scheme, authority = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(text) ?? [];
  if (scheme?.toLowerCase() !== 'https') throw refused('The url must begin with https://.');
  if (authority === '') throw refused('The url is not a valid address.');
  if (authority.includes('@')) throw refused('The url must not contain user information.');
  if (text.includes('?')) throw refused('The url must not have a query.');
  if (text.includes('#')) throw refused('The url must not have a fragment.');
  if (authority.includes('%')) throw refused('The host must not be percent-encoded.');
  const port = /:(\d*)$/.exec(authority.replace(/^\[.*?\]/, ''))?.[1];
  if (port !== undefined && port !== '443') throw refused('The port must be 443: leave it out.');
  const url = parseUrl(text);
  if (!url) throw refused('The url is not a valid address.');
  const { hostname, pathname } = url;
  assertPublicName(hostname);
  const path = unescaped(pathname).toLowerCase();
  if (SECRET.test(path) || (secret !== '' && path.includes(secret.toLowerCase()))) {
    throw refused(
      'The path must not contain a secret: what is sent proves itself by its signature.',
    );
  }
}

/** Errors: `invalid_webhook_secret`. */
export function assertWebhookSecret(text: string): void {
  if (!/^[0-9a-f]{64}$/.test(text))
    throw fail(
      'invalid_webhook_secret',
      'The secret must be 32 random bytes as 64 lowercase hex digits. Make one with: openssl rand -hex 32.',
    );
}
