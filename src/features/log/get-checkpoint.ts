import { content } from '../../kernel/operation/content-operation.ts';
import { fail } from '../../kernel/errors.ts';
import { checkpointOf } from './rules.ts';
import * as logs from './store.ts';

const MEDIA = 'text/plain; charset=utf-8';

export const getCheckpoint = content(
  'getCheckpoint',
  {
    method: 'GET',
    path: '/log/checkpoint',
    tag: 'log',
    summary: 'The newest tree of the log, signed: its size and its root.',
    description:
      'A C2SP checkpoint. Keep it: `stoa verify-log --since` proves from it that nothing was rewritten.',
    auth: 'public',
    cached: true,
    keep: 1,
    media: MEDIA,
    examples: {
      output:
        'stoa.example.org/log\n7\nLPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=\n\n— stoa.example.org/log Az3grl…\n',
    },
  },
  async ({ tx }) => {
    const tree = await logs.latest(tx);
    if (!tree)
      throw fail(
        'unavailable',
        'The log is being made: the service has just started for the first time. Ask again in a few seconds.',
      );
    const text = checkpointOf(tree, tree);
    return {
      mediaType: MEDIA,
      private: false,
      etag: `${tree.size}-${tree.root.toString('base64url')}`,
      size: Buffer.byteLength(text),
      open: async function* () {
        yield text;
      },
    };
  },
);
