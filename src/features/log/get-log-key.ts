import { content } from '../../kernel/operation/content-operation.ts';
import { formatVerifierKey } from './checkpoint.rules.ts';
import { logNotReadyError } from './rules.ts';
import * as logs from './store.ts';

const MEDIA_TYPE = 'text/plain; charset=utf-8';

export const getLogKey = content(
  'getLogKey',
  {
    method: 'GET',
    path: '/log/vkey',
    tag: 'log',
    summary: 'Read the public key that verifies the checkpoints of the log.',
    description:
      'A C2SP verifier key (Ed25519). It never changes: keep it, and verify every checkpoint ' +
      'with the key that you kept.',
    auth: 'public',
    cached: true,
    media: MEDIA_TYPE,
    examples: { output: 'stoa.example.org/log+033de0ae+AdGqQ0J…\n' },
  },
  async ({ tx }) => {
    const log = await logs.find(tx);
    if (!log) throw logNotReadyError();
    const text = `${formatVerifierKey(log)}\n`;
    return {
      mediaType: MEDIA_TYPE,
      private: false,
      etag: log.publicKey.toString('base64url'),
      size: Buffer.byteLength(text),
      open: async function* () {
        yield text;
      },
    };
  },
);
