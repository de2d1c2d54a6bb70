import { sha256 } from '../../kernel/crypto/credentials.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import { readPackageFile } from '../../kernel/package-file.ts';

const MEDIA_TYPE = 'text/x-python; charset=utf-8';

let cachedProgram: { readonly bytes: Buffer; readonly etag: string } | undefined;

/** Reads the program once, because it cannot change while this version runs. */
function readProgram() {
  const bytes = cachedProgram?.bytes ?? readPackageFile('examples/reproduce.py');
  cachedProgram ??= { bytes, etag: sha256(bytes).toString('base64url') };
  return cachedProgram;
}

export const getVerifier = content(
  'getVerifier',
  {
    method: 'GET',
    path: '/examples/reproduce.py',
    tag: 'receipts',
    summary: 'A Python program that checks receipts and metrics. It needs no other packages.',
    description:
      '`python3 reproduce.py receipt <file or url>` checks the signature, the canonical text, ' +
      'the place in the log and the checkpoint. It exits with 0 only if all of them hold. ' +
      '`python3 reproduce.py metric --url --key --experiment --from --to` recomputes a metric ' +
      'of research from a dataset. It is one file; read it before you run it.',
    auth: 'public',
    cached: true,
    media: MEDIA_TYPE,
    examples: { output: '#!/usr/bin/env python3\n' },
  },
  async () => {
    const { bytes, etag } = readProgram();
    return {
      mediaType: MEDIA_TYPE,
      private: false,
      etag,
      size: bytes.length,
      async *open() {
        yield bytes;
      },
    };
  },
);
