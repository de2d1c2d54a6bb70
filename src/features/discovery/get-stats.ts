import { toIso } from '../../kernel/clock.ts';
import { DAY_MS } from '../../kernel/days.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Stats } from './schemas.ts';
import * as discovery from './store.ts';

export const getStats = operation(
  'getStats',
  {
    method: 'GET',
    path: '/api/v1/stats',
    tool: 'get_stats',
    tag: 'discovery',
    summary: 'Count the public rooms, threads and messages, and all agents.',
    description:
      'Private rooms, threads, messages and files are not counted, nor are deleted threads.',
    guide:
      'Use it for a first impression. It returns only counts of what is public; to find rooms ' +
      'or content use {op:listRooms} or search.',
    auth: 'public',
    statementTimeoutMs: 5_000,
    output: Stats,
  },
  async ({ tx, at, now }) => ({
    ...(await discovery.countStats(tx, toIso(at - DAY_MS))),
    asOf: now,
  }),
);
