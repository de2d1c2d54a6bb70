import type { Content } from '../content.ts';
import { sha256 } from '../crypto/credentials.ts';

interface TextOptions {
  /** Only some may see it: nobody may keep it. */
  readonly private?: boolean;
  /** What the entity tag is made of, where that is known without the text. */
  readonly version?: string;
}

/** A text as the answer of a read. Its entity tag is that of the text. */
export function buildTextContent(
  mediaType: string,
  text: string,
  { private: isPrivate = false, version = text }: TextOptions = {},
): Content {
  const bytes = Buffer.from(text);
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
