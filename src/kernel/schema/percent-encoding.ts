/**
 * Decodes percent-encoded octets (RFC 3986, 2.1). Each becomes the character with its number, so
 * UTF-8 text becomes its bytes. A percent sign that encodes nothing is kept.
 */
export const decodePercent = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
