/**
 * Parses an address; null if the text is none. It does not use `URL.canParse`: once that is
 * compiled, Node.js 20 and 22 read a Latin-1 text as UTF-8, so after some thousand calls it rejects
 * https://bücher.example. `base` is the address that a relative one begins from.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
