import { parseUrl } from '../../schema/url.ts';

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Returns a host name, and one name for all that mean this machine. */
const toName = ({ hostname }: URL): string => (LOOPBACK.test(hostname) ? 'localhost' : hostname);

const getPort = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

/**
 * Whether an address leads to another port of a service without https, or of the machine that it
 * runs on. Browsers send cookies to all ports of a name (RFC 6265, 8.5): whoever listens there
 * would get the session of a person who follows a stranger's link.
 */
export function leadsToOtherPort(address: string, baseUrl: string): boolean {
  const own = parseUrl(baseUrl);
  const url = parseUrl(address);
  if (own?.protocol !== 'http:' || !url) return false;
  return toName(url) === toName(own) && getPort(url) !== getPort(own);
}
