import { operation } from '../../kernel/operation/operation.ts';
import * as audit from '../admin/audit.store.ts';
import { assertDiscloses, assertNoticesFit, assertVariantsDiffer } from './rules.ts';
import { CampaignAck, CampaignRequest } from './schemas.ts';
import * as campaigns from './store.ts';

export const createCampaign = operation(
  'createCampaign',
  {
    method: 'POST',
    path: '/api/v1/admin/campaigns',
    tag: 'campaigns',
    summary: 'Draft a campaign: what its notices say, to whom, and how many of them may be sent.',
    description:
      'A notice is a variant and the disclosures, at most 1,200 bytes of UTF-8: a longer one is refused, never cut. Nothing of it can be changed later. Only administrators know of a draft.',
    auth: 'admin',
    feature: 'campaigns',
    idempotency: 'required',
    body: CampaignRequest,
    output: CampaignAck,
  },
  async (
    { tx, administrator, now, newId },
    { body: { name, purpose, audience, disclosures: told, variants, policy } },
  ) => {
    const disclosures = [told].flat();
    assertVariantsDiffer(variants);
    assertDiscloses(disclosures);
    assertNoticesFit(variants, disclosures);
    const { dailyLimit = null, totalLimit = null, overrideLegacyLimits } = policy ?? {};
    const facts = {
      name,
      policy: { dailyLimit, totalLimit, overrideLegacyLimits: overrideLegacyLimits ?? false },
    };
    const id = newId();
    campaigns.insert(tx, { id, ...facts, purpose, audience, disclosures, variants, now });
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'campaign.drafted',
      targetType: 'campaign',
      targetId: id,
      facts,
      now,
    });
    return { id, createdAt: now, state: 'draft' as const };
  },
);
