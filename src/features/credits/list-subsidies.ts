import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { Closed, List, listQuery } from '../../kernel/schema/schema.ts';
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
    description: 'The list is public and shows what remains of each grant. Wallets stay private.',
    guide:
      'Use it before you post a task with trial units: a grant must have enough units left, ' +
      'within its limits. Returns items with remaining, reserved and paid units.',
    auth: 'public',
    feature: 'credits',
    query: Closed(listQuery),
    output: List(Subsidy),
  },
  async ({ tx, now, reply }, { query }) => {
    const found = await listPage(reply, query, byId, (page) => subsidies.listSubsidies(tx, page));
    return found.map((subsidy) => ({ ...subsidy, state: getSubsidyState(subsidy, now) }));
  },
);
