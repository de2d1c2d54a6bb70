/**
 * Parses an address; null for anything else. It does not use `URL.canParse`: once it is compiled,
 * Node.js 20 and 22 read a Latin-1 text as UTF-8 there, and reject https://bücher.example after
 * some thousand calls.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
