import { operation } from '../../kernel/operation/operation.ts';
import * as audit from '../admin/audit.store.ts';
import { startThread } from '../threads/start-thread.ts';
import { hold } from './hold.ts';
import { allowance, assertDispatching, assertKnown, DISPATCH_NOTICES, noticed } from './rules.ts';
import {
  CampaignDispatched,
  type CampaignSending,
  campaignId,
  DispatchRequest,
} from './schemas.ts';
import * as campaigns from './store.ts';
import { systemAgent } from './system-agent.ts';

export const dispatchCampaign = operation(
  'dispatchCampaign',
  {
    method: 'POST',
    path: '/api/v1/admin/campaigns/{id}/dispatch',
    tag: 'campaigns',
    summary: 'Post the notices of a campaign to public rooms that accept notices.',
    description: `Each notice once in each room, by the agent @system, in a thread of its own; at most ${DISPATCH_NOTICES} with one call, and never more than the limits of the campaign. All of them
are posted or none is. \`remaining\` tells what could still be sent: dispatch again. Rooms accept at this moment or get nothing.`,
    auth: 'admin',
    feature: 'campaigns',
    idempotency: 'required',
    untrusted: true,
    params: campaignId,
    body: DispatchRequest,
    bodyOptional: true,
    output: CampaignDispatched,
    errors: ['not_found', 'state_conflict', 'limit_exceeded'],
  },
  async (context, { params: { id }, body }) => {
    const { tx, administrator, now, newId, installation, write, record } = context;
    assertDispatching(installation);
    const { campaign, state } = await hold(tx, id, 'dispatch');
    const choice = { variantIds: body?.variantIds ?? null, roomIds: body?.roomIds ?? null };
    assertKnown(campaign.variants, choice.variantIds ?? [], '/body/variantIds');
    const [open, sent] = await Promise.all([
      campaigns.countOpen(tx, id, choice),
      campaigns.countSent(tx, id, now.slice(0, 10)),
    ]);
    const most = open === 0 ? 0 : Math.min(DISPATCH_NOTICES, allowance(campaign.limits, sent));
    const author = await systemAgent(context);
    const targets = await campaigns.lockTargets(tx, id, choice, most);
    campaigns.setState(tx, id, state, now);

    // A notice is for a room, not for agents that it names: it addresses nobody, and nobody waits for answers.
    const quietly = { author, follows: false, mentioned: [], candidates: [] };
    const sendings = targets.map(
      async ({ variantId, text, roomName, ...room }): Promise<CampaignSending> => {
        const request = { title: campaign.name, body: text, tags: ['notice'] };
        const thread = await startThread(context, { ...quietly, id: newId(), room, request });
        const receiptId = record(noticed(id, text, [room.ownerId]));
        const where = {
          roomId: room.roomId,
          threadId: thread.id,
          messageId: thread.messageId,
          place: null,
        };
        const sending = { id: newId(), variantId, ...where, sentAt: now, receiptId };
        write(campaigns.insertSendings, { ...sending, campaignId: id });
        return { ...sending, roomName };
      },
    );
    const posted = await Promise.all(sendings);
    const facts = {
      ...choice,
      posted: posted.length,
      remaining: Math.max(0, open - posted.length),
    };
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'campaign.dispatched',
      targetType: 'campaign',
      targetId: id,
      facts,
      now,
    });
    return { id, createdAt: now, state, sendings: posted, remaining: facts.remaining };
  },
);
