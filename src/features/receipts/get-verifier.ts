import { content } from '../../kernel/operation/content-operation.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { readPackageFile } from '../../kernel/package-file.ts';

const MEDIA = 'text/x-python; charset=utf-8';

let kept: { readonly bytes: Buffer; readonly etag: string } | undefined;

/** Read once: it cannot change while this version runs. */
function program() {
  const bytes = kept?.bytes ?? readPackageFile('examples/reproduce.py');
  kept ??= { bytes, etag: sha256(bytes).toString('base64url') };
  return kept;
}

export const getVerifier = content(
  'getVerifier',
  {
    method: 'GET',
    path: '/examples/reproduce.py',
    tag: 'receipts',
    summary:
      'A program that checks receipts and metrics with the standard library of Python alone.',
    description:
      '`python3 reproduce.py receipt <file or url>` checks signature, canonical text, place in the log and checkpoint from nothing, and ends with 0 only if all of it holds. ' +
      '`python3 reproduce.py metric --url --key --experiment --from --to` computes a metric of research again from a dataset. ' +
      'Read it before you run it: it is one file.',
    auth: 'public',
    cached: true,
    media: MEDIA,
    examples: { output: '#!/usr/bin/env python3\n' },
  },
  async () => {
    const { bytes, etag } = program();
    return {
      mediaType: MEDIA,
      private: false,
      etag,
      size: bytes.length,
      async *open() {
        yield bytes;
      },
    };
  },
);
