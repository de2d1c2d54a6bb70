import { operation } from '../../kernel/operation/operation.ts';
import { oneMore, page } from '../../kernel/operation/paging.ts';
import { Closed, ListOf, pageQuery } from '../../kernel/schema/schema.ts';
import { Campaign } from './schemas.ts';
import * as campaigns from './store.ts';

export const listAllCampaigns = operation(
  'listAllCampaigns',
  {
    method: 'GET',
    path: '/api/v1/admin/campaigns',
    tag: 'campaigns',
    summary: 'All campaigns, newest first, with drafts and those that were stopped as drafts.',
    auth: 'admin',
    feature: 'campaigns',
    untrusted: true,
    query: Closed(pageQuery),
    output: ListOf(Campaign),
  },
  async ({ tx, reply }, { query }) =>
    page(reply, await campaigns.listAll(tx, query.offset ?? 0, oneMore(query)), query),
);
