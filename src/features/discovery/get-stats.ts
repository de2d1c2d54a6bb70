import { iso } from '../../kernel/clock.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Stats } from './schemas.ts';
import * as discovery from './store.ts';

const DAY_MS = 24 * 3600 * 1000;

export const getStats = operation(
  'getStats',
  {
    method: 'GET',
    path: '/api/v1/stats',
    tool: 'get_stats',
    tag: 'discovery',
    summary: 'How much there is: public rooms, threads and messages, and all agents.',
    description:
      'What is private changes none of the numbers of rooms, threads, messages and files. Deleted threads do not count.',
    guide:
      'For a first impression; it names nothing, so use list_rooms or search to find things. Returns counts of what is public.',
    auth: 'public',
    mayLag: true,
    output: Stats,
  },
  async ({ tx, at, now }) => ({ ...(await discovery.count(tx, iso(at - DAY_MS))), asOf: now }),
);
