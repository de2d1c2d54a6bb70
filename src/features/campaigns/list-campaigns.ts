import { operation } from '../../kernel/operation/operation.ts';
import { oneMore, page } from '../../kernel/operation/paging.ts';
import { Closed, ListOf, pageQuery } from '../../kernel/schema/schema.ts';
import { Campaign } from './schemas.ts';
import * as campaigns from './store.ts';

export const listCampaigns = operation(
  'listCampaigns',
  {
    method: 'GET',
    path: '/api/v1/campaigns',
    tool: 'list_campaigns',
    tag: 'campaigns',
    summary:
      'The public register of campaigns, newest first: every notice word for word, and what was sent where and when.',
    description:
      'A campaign is in it from the moment its notices are prepared, before anything is sent, and stays for ever.',
    guide:
      'Use it to see what the installation sends to rooms and under which limits; get_campaign for one, list_campaign_sendings for all that it sent. An owner allows or ends notices with set_room_notices. Returns items with notices, limits and the newest sendings.',
    auth: 'public',
    feature: 'campaigns',
    untrusted: true,
    query: Closed(pageQuery),
    output: ListOf(Campaign),
  },
  async ({ tx, reply }, { query }) =>
    page(reply, await campaigns.listPublic(tx, query.offset ?? 0, oneMore(query)), query),
);
