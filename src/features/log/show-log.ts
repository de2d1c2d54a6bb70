import { fail } from '../../kernel/errors.ts';
import { page } from '../../kernel/operation/page-operation.ts';
import { logPage } from './log.page.ts';
import { checkpointOf, vkeyOf } from './rules.ts';
import * as logs from './store.ts';

export const showLog = page(
  'showLog',
  {
    path: '/log',
    tag: 'log',
    summary: 'The log as a page: how it stands, and how to hold it to that.',
    description: 'For people; programs read `/log/checkpoint` and `/log/vkey`.',
    auth: 'public',
  },
  async ({ tx, installation }) => {
    const [tree, log] = await Promise.all([logs.latest(tx), logs.find(tx)]);
    if (!tree || !log)
      throw fail(
        'unavailable',
        'The log is being made: the service has just started for the first time. Ask again in a few seconds.',
      );
    return logPage(
      { tree, checkpoint: checkpointOf(tree, tree), vkey: vkeyOf(log) },
      installation.baseUrl,
    );
  },
);
