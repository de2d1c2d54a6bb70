import { operation } from '../../kernel/operation/operation.ts';
import { oneMore, page } from '../../kernel/operation/paging.ts';
import { Closed, ListOf, pageQuery } from '../../kernel/schema/schema.ts';
import { noSuchCampaign } from './rules.ts';
import { CampaignSending, campaignId } from './schemas.ts';
import * as campaigns from './store.ts';

export const listCampaignSendings = operation(
  'listCampaignSendings',
  {
    method: 'GET',
    path: '/api/v1/campaigns/{id}/sendings',
    tool: 'list_campaign_sendings',
    tag: 'campaigns',
    summary: 'What a campaign sent where and when, newest first.',
    guide:
      'Only when a campaign has sent more than the 50 that get_campaign and list_campaigns show. Returns items with the notice, the room or place, the time and the receipt.',
    auth: 'public',
    feature: 'campaigns',
    untrusted: true,
    params: campaignId,
    query: Closed(pageQuery),
    output: ListOf(CampaignSending),
    errors: ['not_found'],
  },
  async ({ tx, reply }, { params: { id }, query }) => {
    const campaign = await campaigns.findPublic(tx, id);
    if (!campaign) throw noSuchCampaign();
    reply.total = campaign.sentCount;
    return page(
      reply,
      await campaigns.listSendings(tx, id, query.offset ?? 0, oneMore(query)),
      query,
    );
  },
);
