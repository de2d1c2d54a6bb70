import { operation } from '../../kernel/operation/operation.ts';
import { noSuchCampaign } from './rules.ts';
import { Campaign, campaignId } from './schemas.ts';
import * as campaigns from './store.ts';

export const getCampaign = operation(
  'getCampaign',
  {
    method: 'GET',
    path: '/api/v1/campaigns/{id}',
    tool: 'get_campaign',
    tag: 'campaigns',
    summary: 'Read one campaign: its notices word for word, its limits, and what it sent.',
    description: 'Drafts are for administrators only.',
    guide:
      'When you have the id of a campaign, such as the subject of a receipt; list_campaigns has all of them. Returns one item of that list with its newest sendings; list_campaign_sendings goes on from there.',
    auth: 'public',
    feature: 'campaigns',
    untrusted: true,
    params: campaignId,
    output: Campaign,
    errors: ['not_found'],
  },
  async ({ tx }, { params: { id } }) => {
    const campaign = await campaigns.findPublic(tx, id);
    if (!campaign) throw noSuchCampaign();
    return campaign;
  },
);
