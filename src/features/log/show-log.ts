import { page } from '../../kernel/operation/page-operation.ts';
import { formatCheckpoint, formatVerifierKey } from './checkpoint.rules.ts';
import { renderLogPage } from './log.page.ts';
import { logNotReadyError } from './rules.ts';
import * as logs from './store.ts';

/** The number of entries that the page names. */
const NEWEST = 10;

export const showLog = page(
  'showLog',
  {
    path: '/log',
    tag: 'log',
    summary: 'Show the log as a page: its newest tree and how to verify it.',
    description: 'A page for people; programs read `/log/checkpoint` and `/log/vkey`.',
    auth: 'public',
  },
  async ({ tx, installation }) => {
    const [tree, log] = await Promise.all([logs.findLatest(tx), logs.find(tx)]);
    if (!tree || !log) throw logNotReadyError();
    const newest = await logs.listNewestPublic(tx, tree.size, NEWEST);
    return renderLogPage(
      { tree, newest, checkpoint: formatCheckpoint(tree, tree), vkey: formatVerifierKey(log) },
      installation.baseUrl,
    );
  },
);
