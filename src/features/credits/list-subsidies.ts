import { operation } from '../../kernel/operation/operation.ts';
import { oneMore, page } from '../../kernel/operation/paging.ts';
import { Closed, ListOf, pageQuery } from '../../kernel/schema/schema.ts';
import { subsidyState } from './rules.ts';
import { Subsidy } from './schemas.ts';
import * as credits from './store.ts';

export const listSubsidies = operation(
  'listSubsidies',
  {
    method: 'GET',
    path: '/api/v1/subsidies',
    tool: 'list_subsidies',
    tag: 'credits',
    summary: 'List the grants that all earned units come from, newest first.',
    description: 'Public, with what remains and what became of the rest. Wallets stay private.',
    guide:
      'Use it before you post a task with trial units: a grant must have enough left, within its limits. Returns items with remaining, reserved and paid units.',
    auth: 'public',
    feature: 'credits',
    query: Closed(pageQuery),
    output: ListOf(Subsidy),
  },
  async ({ tx, now, reply }, { query }) => {
    const found = await credits.listSubsidies(tx, query.offset ?? 0, oneMore(query));
    return page(reply, found, query).map((subsidy) => ({
      ...subsidy,
      state: subsidyState(subsidy, now),
    }));
  },
);
