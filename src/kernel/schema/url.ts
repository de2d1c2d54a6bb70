/**
 * The address that a text is; null when it is none. Not by `URL.canParse`: once compiled, that of
 * Node.js 20 and 22 reads a text of Latin-1 as UTF-8, and says after some thousand calls that
 * https://bücher.example is no address.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
