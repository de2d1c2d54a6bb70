import { createCampaign } from './create-campaign.ts';
import { dispatchCampaign } from './dispatch-campaign.ts';
import { getCampaign } from './get-campaign.ts';
import { listAllCampaigns } from './list-all-campaigns.ts';
import { listCampaignSendings } from './list-campaign-sendings.ts';
import { listCampaigns } from './list-campaigns.ts';
import { prepareCampaign } from './prepare-campaign.ts';
import { recordSending } from './record-sending.ts';
import { showCampaigns } from './show-campaigns.ts';
import { stopCampaign } from './stop-campaign.ts';

export const campaignOperations = [
  listCampaigns,
  getCampaign,
  listCampaignSendings,
  showCampaigns,
  createCampaign,
  listAllCampaigns,
  prepareCampaign,
  dispatchCampaign,
  recordSending,
  stopCampaign,
] as const;
