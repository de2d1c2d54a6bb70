import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { Closed, List, listQuery } from '../../kernel/schema/schema.ts';
import * as views from './campaign-views.store.ts';
import { Campaign } from './schemas.ts';

export const listCampaigns = operation(
  'listCampaigns',
  {
    method: 'GET',
    path: '/api/v1/campaigns',
    tool: 'list_campaigns',
    tag: 'campaigns',
    summary:
      'List the public register of campaigns, newest first: every notice word for word, and ' +
      'what was sent where and when.',
    description:
      'A campaign enters the register when its notices are prepared, before anything is sent, ' +
      'and is never removed.',
    guide:
      'Use it to see what the installation sends to rooms and under which limits; use ' +
      '{op:getCampaign} for one campaign, {op:listCampaignSendings} for all of its sendings. An ' +
      'owner allows or ends notices with {op:setRoomNotices}. Returns items with notices, ' +
      'limits and the newest sendings.',
    auth: 'public',
    feature: 'campaigns',
    untrusted: true,
    query: Closed(listQuery),
    output: List(Campaign),
  },
  async ({ tx, reply }, { query }) =>
    listPage(reply, query, byId, (page) => views.listPublic(tx, page)),
);
