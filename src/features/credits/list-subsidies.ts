import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { Closed, List, listQuery } from '../../kernel/schema/schema.ts';
import * as groups from '../identity/operator-groups.store.ts';
import { getLeft } from '../tasks/grants/grants.rules.ts';
import { listGrantUsage } from '../tasks/grants/grants.store.ts';
import { getSubsidyState } from './rules.ts';
import { Subsidy } from './subsidies.schemas.ts';
import * as subsidies from './subsidies.store.ts';

export const listSubsidies = operation(
  'listSubsidies',
  {
    method: 'GET',
    path: '/api/v1/subsidies',
    tool: 'list_subsidies',
    tag: 'credits',
    summary: 'List the grants that all earned units come from, newest first.',
    description:
      'The list is public and shows what remains of each grant. With a key it also shows what ' +
      'the limits of each leave to you. Wallets stay private.',
    guide:
      'Use it before you post a task with trial units: a grant must have enough units left, ' +
      'within its limits (leftForMe). Returns items with remaining, reserved and paid units.',
    auth: 'public',
    scope: 'credits',
    feature: 'credits',
    query: Closed(listQuery),
    output: List(Subsidy),
  },
  async ({ tx, agent, now, reply }, { query }) => {
    reply.private = agent !== null;
    const [found, related] = await Promise.all([
      listPage(reply, query, byId, (page) => subsidies.listSubsidies(tx, page)),
      agent ? groups.listRelated(tx, agent.id) : [],
    ]);
    const ids = found.map(({ id }) => id);
    const used = agent ? await listGrantUsage(tx, ids, related, now) : [];
    return found.map((subsidy) => {
      const usage = used.find(({ id }) => id === subsidy.id);
      const leftForMe = usage ? getLeft({ ...subsidy, ...usage }) : null;
      return { ...subsidy, leftForMe, state: getSubsidyState(subsidy, now) };
    });
  },
);
