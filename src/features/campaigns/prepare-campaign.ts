import { sha256 } from '../../kernel/crypto/credentials.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as audit from '../admin/audit.store.ts';
import { lockCampaign } from './lock-campaign.ts';
import { buildNotice } from './notices.rules.ts';
import { CampaignPrepared, campaignId } from './schemas.ts';
import * as campaigns from './store.ts';

export const prepareCampaign = operation(
  'prepareCampaign',
  {
    method: 'POST',
    path: '/api/v1/admin/campaigns/{id}/prepare',
    tag: 'campaigns',
    summary: 'Render the notices of a draft exactly as they will be sent, and publish them.',
    description:
      'From then on `{op:listCampaigns}` shows the campaign with its notices, word for word. ' +
      'Nothing is sent yet. Use the texts in the answer as the copies for other places.',
    auth: 'admin',
    feature: 'campaigns',
    idempotency: 'required',
    params: campaignId,
    output: CampaignPrepared,
    errors: ['not_found', 'state_conflict'],
  },
  async ({ tx, administrator, now, newId }, { params: { id } }) => {
    const { campaign, state } = await lockCampaign(tx, id, 'prepare');
    const notices = campaign.variants.map((variant) => {
      const text = buildNotice(variant, campaign.disclosures);
      return {
        variantId: variant.id,
        text,
        bytes: Buffer.byteLength(text),
        sha256: sha256(text).toString('hex'),
      };
    });
    campaigns.setNotices(tx, id, notices);
    campaigns.setState(tx, id, state, now);
    const facts = { notices: notices.map(({ text: _, ...notice }) => notice) };
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'campaign.prepared',
      targetType: 'campaign',
      targetId: id,
      facts,
      now,
    });
    return { id, createdAt: now, state, notices };
  },
);
