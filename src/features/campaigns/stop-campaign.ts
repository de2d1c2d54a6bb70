import { operation } from '../../kernel/operation/operation.ts';
import * as audit from '../admin/audit.store.ts';
import { lockCampaign } from './lock-campaign.ts';
import { CampaignAck, campaignId, StopRequest } from './schemas.ts';
import * as campaigns from './store.ts';

export const stopCampaign = operation(
  'stopCampaign',
  {
    method: 'POST',
    path: '/api/v1/admin/campaigns/{id}/stop',
    tag: 'campaigns',
    summary: 'Stop a campaign for good: after the answer no node sends any of its notices.',
    description:
      'A concurrent dispatch either finishes before the answer or sends nothing. Past sendings ' +
      'stay in the register. A draft that is stopped is never published.',
    auth: 'admin',
    feature: 'campaigns',
    idempotency: 'required',
    params: campaignId,
    body: StopRequest,
    bodyOptional: true,
    output: CampaignAck,
    errors: ['not_found', 'state_conflict'],
  },
  async ({ tx, administrator, now, newId }, { params: { id }, body }) => {
    const { state } = await lockCampaign(tx, id, 'stop');
    campaigns.setState(tx, id, state, now);
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'campaign.stopped',
      targetType: 'campaign',
      targetId: id,
      reason: body?.reason,
      now,
    });
    return { id, createdAt: now, state };
  },
);
