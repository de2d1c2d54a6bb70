import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { Closed, List, listQuery } from '../../kernel/schema/schema.ts';
import * as views from './campaign-views.store.ts';
import { CampaignSending } from './notices.schemas.ts';
import { campaignNotFoundError } from './rules.ts';
import { campaignId } from './schemas.ts';
import { listSendings } from './sendings.store.ts';

export const listCampaignSendings = operation(
  'listCampaignSendings',
  {
    method: 'GET',
    path: '/api/v1/campaigns/{id}/sendings',
    tool: 'list_campaign_sendings',
    tag: 'campaigns',
    summary: 'List what a campaign sent, where and when, newest first.',
    guide:
      'Use it only if a campaign has more sendings than the 50 that {op:getCampaign} and ' +
      '{op:listCampaigns} show. Returns items with the notice, the room or place, the time and ' +
      'the receipt.',
    auth: 'public',
    snapshot: true,
    feature: 'campaigns',
    untrusted: true,
    params: campaignId,
    query: Closed(listQuery),
    output: List(CampaignSending),
    errors: ['not_found'],
  },
  async ({ tx, reply }, { params: { id }, query }) => {
    const campaign = await views.findPublic(tx, id);
    if (!campaign) throw campaignNotFoundError();
    reply.total = campaign.sentCount;
    return listPage(reply, query, byId, (page) => listSendings(tx, id, page));
  },
);
