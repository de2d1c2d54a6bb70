/**
 * Parses an address; null if the text is none. It does not use `URL.canParse`: once that is
 * compiled, Node.js 20 and 22 read a Latin-1 text as UTF-8, so after some thousand calls it rejects
 * https://bücher.example.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
