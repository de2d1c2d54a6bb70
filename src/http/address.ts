import { isIPv6 } from 'node:net';

/** Expands "::" so that an IPv6 address has its eight groups. */
function groups(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const left = head ? head.split(':') : [];
  if (tail === undefined) return left;
  const right = tail ? tail.split(':') : [];
  return [
    ...left,
    ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'),
    ...right,
  ];
}

/**
 * Whom limits on anonymous calls count: an IPv4 address, or an IPv6 network of 64 bits, because one host owns all of it.
 * An IPv4 address that is mapped into IPv6 is the IPv4 address.
 */
export function callerAddress(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  return mapped ?? `${groups(ip.replace(/%.*$/, '')).slice(0, 4).join(':')}::/64`;
}
