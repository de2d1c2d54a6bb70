import { sha256 } from '../../kernel/crypto/credentials.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as audit from '../admin/audit.store.ts';
import { hold } from './hold.ts';
import { noticeOf } from './rules.ts';
import { CampaignPrepared, campaignId } from './schemas.ts';
import * as campaigns from './store.ts';

export const prepareCampaign = operation(
  'prepareCampaign',
  {
    method: 'POST',
    path: '/api/v1/admin/campaigns/{id}/prepare',
    tag: 'campaigns',
    summary: 'Render every notice of a draft exactly as it will be sent, and publish them.',
    description:
      'From now on `GET /api/v1/campaigns` shows the campaign with its notices, word for word. Nothing is sent yet. The texts of the answer are the copies for elsewhere.',
    auth: 'admin',
    feature: 'campaigns',
    idempotency: 'required',
    params: campaignId,
    output: CampaignPrepared,
    errors: ['not_found', 'state_conflict'],
  },
  async ({ tx, administrator, now, newId }, { params: { id } }) => {
    const { campaign, state } = await hold(tx, id, 'prepare');
    const notices = campaign.variants.map((variant) => {
      const text = noticeOf(variant, campaign.disclosures);
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
