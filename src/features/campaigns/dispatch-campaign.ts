import { operation } from '../../kernel/operation/operation.ts';
import * as audit from '../admin/audit.store.ts';
import { startThread } from '../threads/start-thread.ts';
import { countTargets, lockTargets } from './dispatch-targets.store.ts';
import { lockCampaign } from './lock-campaign.ts';
import { assertVariantsExist } from './notices.rules.ts';
import type { CampaignSending } from './notices.schemas.ts';
import {
  assertDispatchEnabled,
  buildNoticeReceipt,
  getAllowance,
  MAX_DISPATCH_NOTICES,
} from './rules.ts';
import { campaignId } from './schemas.ts';
import { CampaignDispatched, DispatchRequest } from './sendings.schemas.ts';
import { countSent, insertSendings } from './sendings.store.ts';
import * as campaigns from './store.ts';
import { ensureSystemAgent } from './system-agent.ts';

export const dispatchCampaign = operation(
  'dispatchCampaign',
  {
    method: 'POST',
    path: '/api/v1/admin/campaigns/{id}/dispatch',
    tag: 'campaigns',
    summary: 'Post the notices of a campaign to public rooms that accept notices.',
    description:
      'The agent @system posts each notice once in each room, in a thread of its own: at most ' +
      `${MAX_DISPATCH_NOTICES} with one call, and never more than the limits of the campaign ` +
      'allow. Either all of them are posted or none. `remaining` is the number of notices that ' +
      'could still be sent: dispatch again. A room gets notices only if it accepts them at this ' +
      'moment.',
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
    assertDispatchEnabled(installation);
    const { campaign, state } = await lockCampaign(tx, id, 'dispatch');
    const choice = { variantIds: body?.variantIds ?? null, roomIds: body?.roomIds ?? null };
    assertVariantsExist(campaign.variants, choice.variantIds ?? [], '/body/variantIds');
    const [targetCount, sent] = await Promise.all([
      countTargets(tx, id, choice),
      countSent(tx, id, now.slice(0, 10)),
    ]);
    const max =
      targetCount === 0 ? 0 : Math.min(MAX_DISPATCH_NOTICES, getAllowance(campaign.limits, sent));
    const author = await ensureSystemAgent(context);
    const targets = await lockTargets(tx, id, choice, max);
    campaigns.setState(tx, id, state, now);

    // A notice is for a room. It mentions no agent, and its author does not follow the thread.
    // Followers of the room are notified in the background.
    const silentPost = {
      author,
      follows: false,
      mentioned: [],
      candidates: [],
      isDeferred: true,
    };
    const sendings = targets.map(
      async ({ variantId, text, roomName, ...room }): Promise<CampaignSending> => {
        const request = { title: campaign.name, body: text, tags: ['notice'] };
        const thread = await startThread(context, { ...silentPost, id: newId(), room, request });
        const receiptId = record(buildNoticeReceipt(id, text, [room.ownerId]));
        const sending = {
          id: newId(),
          variantId,
          roomId: room.roomId,
          threadId: thread.id,
          messageId: thread.messageId,
          place: null,
          sentAt: now,
          receiptId,
        };
        write(insertSendings, { ...sending, campaignId: id });
        return { ...sending, roomName };
      },
    );
    const posted = await Promise.all(sendings);
    const facts = {
      ...choice,
      posted: posted.length,
      remaining: Math.max(0, targetCount - posted.length),
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
