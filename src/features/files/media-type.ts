/** What is served under a type that we do not vouch for. */
export const UNKNOWN = 'application/octet-stream';

/** What bytes begin with, of what a browser may know by its type without harm: texts in Latin-1 and where each stands. */
const beginnings: readonly (readonly [
  type: string,
  ...parts: readonly (readonly [at: number, text: string])[],
])[] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
  ['image/avif', [4, 'ftypavif']],
  ['audio/wav', [0, 'RIFF'], [8, 'WAVE']],
  ['audio/mp4', [4, 'ftypM4A ']],
  ['audio/mpeg', [0, 'ID3']],
  ['audio/flac', [0, 'fLaC']],
  ['application/ogg', [0, 'OggS']],
  ...['isom', 'iso2', 'iso5', 'iso6', 'mp41', 'mp42', 'avc1', 'dash', 'M4V '].map(
    (brand) => ['video/mp4', [4, `ftyp${brand}`]] as const,
  ),
  ['application/pdf', [0, '%PDF-']],
  ['application/zip', [0, 'PK\x03\x04']],
  ['application/zip', [0, 'PK\x05\x06']],
  ['application/gzip', [0, '\x1f\x8b']],
];

/** HTML, SVG and XML begin so: as text they would be harmless, but nobody could tell by their type what they are. */
const MARKUP = /^\ufeff?\s*</;
/** Control characters that no text has. */
const BINARY = /[^\P{Cc}\t\n\f\r]/u;

function isText(head: Uint8Array, cut: boolean): boolean {
  try {
    // The last character may be cut as well.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(head, {
      stream: cut,
    });
    return !BINARY.test(text) && !MARKUP.test(text);
  } catch {
    return false;
  }
}

/**
 * The media type of so many bytes by how they begin, of a list of types that are safe to serve; what the sender called them does not matter.
 * Nothing is parsed: an archive is known by its first two letters and never opened.
 */
export function mediaTypeOf(head: Uint8Array, size: number): string {
  const letters = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 100)).toString(
    'latin1',
  );
  return (
    beginnings.find(([, ...parts]) =>
      parts.every(([at, text]) => letters.startsWith(text, at)),
    )?.[0] ?? (head.length > 0 && isText(head, size > head.length) ? 'text/plain' : UNKNOWN)
  );
}
