/**
 * Decodes percent-encoded octets (RFC 3986, 2.1): each becomes the character with its number, so
 * text in UTF-8 comes out as its bytes. A percent sign that encodes nothing stays.
 */
export const decodePercent = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
