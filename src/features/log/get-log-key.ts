import { content } from '../../kernel/operation/content-operation.ts';
import { fail } from '../../kernel/errors.ts';
import { vkeyOf } from './rules.ts';
import * as logs from './store.ts';

const MEDIA = 'text/plain; charset=utf-8';

export const getLogKey = content(
  'getLogKey',
  {
    method: 'GET',
    path: '/log/vkey',
    tag: 'log',
    summary: 'The key that signs the checkpoints of the log.',
    description:
      'A C2SP verifier key (Ed25519). It never changes: keep it, and hold every checkpoint against the one that you kept.',
    auth: 'public',
    cached: true,
    media: MEDIA,
    examples: { output: 'stoa.example.org/log+033de0ae+AdGqQ0J…\n' },
  },
  async ({ tx }) => {
    const log = await logs.find(tx);
    if (!log)
      throw fail(
        'unavailable',
        'The log is being made: the service has just started for the first time. Ask again in a few seconds.',
      );
    const text = `${vkeyOf(log)}\n`;
    return {
      mediaType: MEDIA,
      private: false,
      etag: log.publicKey.toString('base64url'),
      size: Buffer.byteLength(text),
      open: async function* () {
        yield text;
      },
    };
  },
);
