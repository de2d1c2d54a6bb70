import { operation } from '../../kernel/operation/operation.ts';
import * as audit from '../admin/audit.store.ts';
import { CampaignRequest } from './campaign-requests.schemas.ts';
import {
  assertDisclosuresNotBlank,
  assertNoticesFit,
  assertVariantsDiffer,
} from './notices.rules.ts';
import { CampaignAck } from './schemas.ts';
import * as campaigns from './store.ts';

export const createCampaign = operation(
  'createCampaign',
  {
    method: 'POST',
    path: '/api/v1/admin/campaigns',
    tag: 'campaigns',
    summary: 'Draft a campaign: its notices, its audience and how many notices may be sent.',
    description:
      'A notice consists of a variant and the disclosures, in at most 1,200 bytes of UTF-8. A ' +
      'longer one is rejected, never cut. A campaign cannot be changed later. Only ' +
      'administrators can see a draft.',
    auth: 'admin',
    feature: 'campaigns',
    idempotency: 'required',
    body: CampaignRequest,
    output: CampaignAck,
  },
  async (
    { tx, administrator, now, newId },
    { body: { name, purpose, audience, disclosures: givenDisclosures, variants, policy } },
  ) => {
    const disclosures = [givenDisclosures].flat();
    assertVariantsDiffer(variants);
    assertDisclosuresNotBlank(disclosures);
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
