import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Groups of 16 bits in the part of an IPv6 address that names a network (RFC 4291, 2.5.4). */
const NETWORK_GROUPS = 4;

/**
 * Returns the name under which limits count an anonymous caller. It is an IPv4 address, or an IPv6
 * network of 64 bits, because one host owns all of it. An IPv4 address that is mapped into IPv6
 * (RFC 4291, 2.5.5.2) counts as the IPv4 address. Text that is no address is returned unchanged.
 */
export function toCallerAddress(ip: string): string {
  if (!ipaddr.IPv6.isValid(ip)) return ip;
  const address = ipaddr.IPv6.parse(ip);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  const network = address.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/**
 * Returns the address of a caller behind so many trusted proxies, as limits count it. It serves
 * where there is no request of the framework, or one that knows no proxies.
 */
export function findCallerAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustProxy: number,
): string {
  const direct = socket.remoteAddress ?? '';
  const forwarded = headers['x-forwarded-for'];
  if (trustProxy === 0 || typeof forwarded !== 'string') return toCallerAddress(direct);
  const hops = forwarded.split(',').map((hop) => hop.trim());
  return toCallerAddress(hops.at(-Math.min(trustProxy, hops.length)) || direct);
}
