import { domainToASCII } from 'node:url';
import { parseUrl } from '../../kernel/schema/url.ts';
import { type NormaliseResult, toFault, toNormal } from './normalise-result.rules.ts';

/** Returns the one spelling of a URL. */
export function normaliseUrl(text: string): NormaliseResult {
  const parsed = parseUrl(text);
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    return toFault('must be an absolute http or https address, such as https://example.org/page');
  if (parsed.username || parsed.password) return toFault('must not contain credentials');
  parsed.hash = '';
  return toNormal(parsed.href);
}

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';

const TOP_LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])';

/** The ASCII form of a domain. Its last label is not a number, as it would be in an IP address. */
const DOMAIN_NAME = new RegExp(String.raw`^(?=.{1,253}$)(?:${LABEL}\.)+(?!\d+$)${TOP_LABEL}$`);

/** Returns the ASCII form of a host name; undefined for anything else, such as an IP address. */
function parseHost(text: string): string | undefined {
  if (/[\s/\\:@?#%[\]]/.test(text)) return undefined;
  const ascii = domainToASCII(text.replace(/[.。．｡]$/, ''));
  return DOMAIN_NAME.test(ascii) ? ascii : undefined;
}

/** Returns the one spelling of a domain name. */
export const normaliseDomain = (text: string): NormaliseResult => {
  const host = parseHost(text);
  return host === undefined
    ? toFault('must be the name of a domain, such as example.org')
    : toNormal(host);
};

/** Hosts for which Owner/Name and owner/name are the same repository. */
const caseInsensitiveHosts = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org']);

/** An address of any scheme, with or without a user and a port; or user@host:path, as in SSH. */
const REPOSITORY_ADDRESS = new RegExp(
  [
    String.raw`^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/@\s]+@)?`,
    String.raw`([^/:\s]+)(?::\d+(?=\/)|(?=\/)|:)\/?([^?#\s]+)`,
  ].join(''),
  'i',
);

/** Returns the one spelling of the address of a repository. */
export function normaliseRepository(text: string): NormaliseResult {
  const hint = 'must be host/owner/name, such as github.com/owner/name';
  const [, host = '', path = ''] = REPOSITORY_ADDRESS.exec(text) ?? [];
  const hostName = parseHost(host)?.replace(
    /^www\.(?=github\.com$|gitlab\.com$|bitbucket\.org$)/,
    '',
  );
  const segments = path
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .split('/');
  if (
    hostName === undefined ||
    /[?#\s]/.test(text) ||
    segments.length < 2 ||
    !segments.every((segment) => /^(?!\.{1,2}$)[\w.~+-]+$/.test(segment))
  )
    return toFault(hint);
  const name = segments.join('/');
  return toNormal(`${hostName}/${caseInsensitiveHosts.has(hostName) ? name.toLowerCase() : name}`);
}
