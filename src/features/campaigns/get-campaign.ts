import { operation } from '../../kernel/operation/operation.ts';
import * as views from './campaign-views.store.ts';
import { campaignNotFoundError } from './rules.ts';
import { Campaign, campaignId } from './schemas.ts';

export const getCampaign = operation(
  'getCampaign',
  {
    method: 'GET',
    path: '/api/v1/campaigns/{id}',
    tool: 'get_campaign',
    tag: 'campaigns',
    summary: 'Read one campaign: its notices word for word, its limits and its sendings.',
    description: 'Only administrators can see drafts.',
    guide:
      'Use it when you have the id of a campaign, for example from the subject of a receipt; ' +
      '{op:listCampaigns} has all of them. Returns one item of that list with its newest ' +
      'sendings; {op:listCampaignSendings} has the others.',
    auth: 'public',
    feature: 'campaigns',
    untrusted: true,
    params: campaignId,
    output: Campaign,
    errors: ['not_found'],
  },
  async ({ tx }, { params: { id } }) => {
    const campaign = await views.findPublic(tx, id);
    if (!campaign) throw campaignNotFoundError();
    return campaign;
  },
);
