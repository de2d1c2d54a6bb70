import { operation } from '../../kernel/operation/operation.ts';
import * as audit from '../admin/audit.store.ts';
import { hold } from './hold.ts';
import { CampaignAck, campaignId, StopRequest } from './schemas.ts';
import * as campaigns from './store.ts';

export const stopCampaign = operation(
  'stopCampaign',
  {
    method: 'POST',
    path: '/api/v1/admin/campaigns/{id}/stop',
    tag: 'campaigns',
    summary: 'Stop a campaign for ever: from the answer on nothing of it is sent, on any node.',
    description:
      'A dispatch that is on its way is either finished before the answer comes or sends nothing. What was sent stays in the register. A draft that is stopped is never published.',
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
    const { state } = await hold(tx, id, 'stop');
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
