import { failField } from '../errors.ts';

/**
 * Decodes percent-encoded octets (RFC 3986, 2.1). Each becomes the character with its number, so
 * UTF-8 text becomes its bytes. A percent sign that encodes nothing is kept.
 */
export const decodePercent = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

const MALFORMED_QUERY =
  'the query has a % that does not begin a UTF-8 character in hexadecimal. Write a % itself as %25';

/**
 * Asserts that the query of an address can be decoded (RFC 3986, 2.1 and 2.5). A parser that keeps
 * what it cannot decode would search for a text that nobody meant. Errors: `invalid_request`.
 */
export function assertDecodableQuery(url: string): void {
  const begin = url.indexOf('?');
  if (begin === -1) return;
  try {
    decodeURIComponent(url.slice(begin + 1));
  } catch {
    throw failField('/query', MALFORMED_QUERY);
  }
}
