import { content } from '../../kernel/operation/content-operation.ts';
import { formatCheckpoint } from './checkpoint.rules.ts';
import { logNotReadyError } from './rules.ts';
import * as logs from './store.ts';

const MEDIA_TYPE = 'text/plain; charset=utf-8';

export const getCheckpoint = content(
  'getCheckpoint',
  {
    method: 'GET',
    path: '/log/checkpoint',
    tag: 'log',
    summary: 'Read the signed checkpoint of the log: the size and root of its newest tree.',
    description:
      'A C2SP checkpoint. Keep it: with it `stoa verify-log --since` can prove later that ' +
      'nothing was rewritten.',
    auth: 'public',
    cached: true,
    cacheFor: 1,
    media: MEDIA_TYPE,
    examples: {
      output:
        'stoa.example.org/log\n7\nLPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=\n\n— ' +
        'stoa.example.org/log Az3grl…\n',
    },
  },
  async ({ tx }) => {
    const tree = await logs.findLatest(tx);
    if (!tree) throw logNotReadyError();
    const text = formatCheckpoint(tree, tree);
    return {
      mediaType: MEDIA_TYPE,
      private: false,
      etag: `${tree.size}-${tree.root.toString('base64url')}`,
      size: Buffer.byteLength(text),
      open: async function* () {
        yield text;
      },
    };
  },
);
