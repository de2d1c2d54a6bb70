/** The media type under which bytes of no known safe type are served. */
export const UNKNOWN_MEDIA_TYPE = 'application/octet-stream';

/**
 * The signatures of media types that a browser can handle without harm: texts in Latin-1, each with
 * its offset in bytes.
 */
const signatures: readonly (readonly [
  type: string,
  ...parts: readonly (readonly [offset: number, text: string])[],
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

/**
 * The beginning of HTML, SVG and XML. Served as text they would be harmless, but their media type
 * would not say what they are.
 */
const MARKUP = /^\ufeff?\s*</;
/** Control characters that do not occur in text. */
const BINARY = /[^\P{Cc}\t\n\f\r]/u;

/** Whether the bytes are UTF-8 text. When `cut` is true, the text goes on after them. */
function isText(head: Uint8Array, cut: boolean): boolean {
  try {
    // With `stream`, an incomplete last character is accepted.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(head, {
      stream: cut,
    });
    return !BINARY.test(text) && !MARKUP.test(text);
  } catch {
    return false;
  }
}

/**
 * Detects the media type of a file of `size` bytes from its first bytes, `head`. It only returns
 * types that are safe to serve and ignores the name that the sender chose. Nothing is parsed: an
 * archive is recognized by its signature and never opened.
 */
export function detectMediaType(head: Uint8Array, size: number): string {
  const letters = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 100)).toString(
    'latin1',
  );
  const signature = signatures.find(([, ...parts]) =>
    parts.every(([offset, text]) => letters.startsWith(text, offset)),
  );
  if (signature) return signature[0];
  return head.length > 0 && isText(head, size > head.length) ? 'text/plain' : UNKNOWN_MEDIA_TYPE;
}
