import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { Closed, List, listQuery } from '../../kernel/schema/schema.ts';
import * as views from './campaign-views.store.ts';
import { Campaign } from './schemas.ts';

export const listAllCampaigns = operation(
  'listAllCampaigns',
  {
    method: 'GET',
    path: '/api/v1/admin/campaigns',
    tag: 'campaigns',
    summary: 'List all campaigns, newest first, including drafts and stopped drafts.',
    auth: 'admin',
    feature: 'campaigns',
    untrusted: true,
    query: Closed(listQuery),
    output: List(Campaign),
  },
  async ({ tx, reply }, { query }) =>
    listPage(reply, query, byId, (page) => views.listAll(tx, page)),
);
