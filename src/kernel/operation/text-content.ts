import type { Content } from '../content.ts';
import { sha256 } from '../crypto/credentials.ts';
import { encodeText } from '../encode-text.ts';

interface TextOptions {
  /** Not everyone may see the text, so no cache may store it. */
  readonly private?: boolean;
  /** The value that the entity tag is computed from, if it is known without the text. */
  readonly version?: string;
}

/** Builds the content of a text. Its entity tag is computed from the text or from `version`. */
export function buildTextContent(
  mediaType: string,
  text: string,
  { private: isPrivate = false, version = text }: TextOptions = {},
): Content {
  const bytes = encodeText(text);
  return {
    mediaType,
    private: isPrivate,
    etag: sha256(version).toString('base64url'),
    size: bytes.length,
    async *open() {
      yield bytes;
    },
  };
}
