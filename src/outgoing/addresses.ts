import ipaddr from 'ipaddr.js';

/** Unicast by their number, and yet not for us: platforms answer here with the secrets of the machine that asks. */
const metadata = new Set(['168.63.129.16']);

/** All that IANA has given out for global unicast. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** ISATAP (RFC 5214): the last 64 bits of an ordinary prefix carry an IPv4 address. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean =>
  parts[5] === 0x5efe && ((parts[4] ?? 0) & 0xfdff) === 0;

/**
 * Whether a hint may be sent to this address: global unicast of the IANA registries and nothing that is special, private, in transition or a
 * platform's own. What is no address in its usual form is not public. docs/webhooks.md has the table.
 */
export function isPublicAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text))
    return ipaddr.IPv4.parse(text).range() === 'unicast' && !metadata.has(text);
  if (!ipaddr.IPv6.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.IPv6.parse(text);
  return address.match(globalUnicast) && address.range() === 'unicast' && !isIsatap(address);
}
