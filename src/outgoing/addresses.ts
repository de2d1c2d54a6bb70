import ipaddr from 'ipaddr.js';

/**
 * Addresses in public ranges where cloud platforms return the secrets of the machine that asks.
 */
const metadataAddresses = new Set(['168.63.129.16']);

/** The range that IANA has allocated for global unicast (RFC 4291, section 2.4). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is ISATAP, with an IPv4 address in its last 64 bits (RFC 5214, section 6.1).
 */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean =>
  parts[5] === 0x5efe && ((parts[4] ?? 0) & 0xfdff) === 0;

/**
 * Whether a hint may be sent to this address. It must be global unicast by the IANA registries, and
 * not special, private, transitional or a cloud platform's own. A text that is no address in its
 * usual form is not public. docs/webhooks.md has the table.
 */
export function isPublicAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text))
    return ipaddr.IPv4.parse(text).range() === 'unicast' && !metadataAddresses.has(text);
  if (!ipaddr.IPv6.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.IPv6.parse(text);
  return address.match(globalUnicast) && address.range() === 'unicast' && !isIsatap(address);
}
