/** Bytes in a buffer that is not shared, as the Web Crypto API requires. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Concatenates bytes. */
export function concat(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Bytes that are put together as they arrive. However small the pieces, they take no more. */
interface ByteBuffer {
  readonly size: number;
  add(piece: Uint8Array): void;
  /** Returns all bytes so far. */
  take(): Bytes;
}

/** Creates an empty buffer, which doubles as it fills. */
export function createByteBuffer(): ByteBuffer {
  let bytes = new Uint8Array(4096);
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(piece) {
      if (size + piece.length > bytes.length) {
        const longer = new Uint8Array(Math.max(2 * bytes.length, size + piece.length));
        longer.set(bytes.subarray(0, size));
        bytes = longer;
      }
      bytes.set(piece, size);
      size += piece.length;
    },
    take: () => bytes.slice(0, size),
  };
}

/** Returns the SHA-256 of the concatenated parts. */
export const sha256 = async (...parts: readonly Uint8Array[]): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', concat(...parts)));

/** Whether two byte sequences are equal. The comparison is not constant-time. */
export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

/** Encodes a text as UTF-8. */
export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

/** Encodes bytes as standard base64 with padding. */
export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/**
 * Decodes standard base64 with padding (RFC 4648, section 4). Returns null for anything else,
 * including a non-canonical text of the same bytes.
 */
export function fromBase64(text: string): Bytes | null {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return null;
  const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  return toBase64(bytes) === text ? bytes : null;
}

/** Encodes bytes as lowercase hexadecimal digits. */
export const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Encodes bytes as base64url without padding (RFC 4648, section 5). */
export const toBase64url = (bytes: Uint8Array): string =>
  toBase64(bytes).replace(/[+/=]/g, (one) => ({ '+': '-', '/': '_' })[one] ?? '');

/**
 * Decodes base64url without padding. Returns null for anything else, including a non-canonical text
 * of the same bytes.
 */
export const fromBase64url = (text: string): Bytes | null =>
  fromBase64(
    text.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat((4 - (text.length % 4)) % 4),
  );

/** Decodes hexadecimal digits, whose number must be even. */
export const fromHex = (digits: string): Bytes =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
