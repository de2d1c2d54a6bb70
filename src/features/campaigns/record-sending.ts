import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as audit from '../admin/audit.store.ts';
import { lockCampaign } from './lock-campaign.ts';
import { getNotice } from './notices.rules.ts';
import { buildNoticeReceipt, getAllowance } from './rules.ts';
import { campaignId } from './schemas.ts';
import { SendingRecorded, SendingRequest } from './sendings.schemas.ts';
import { countSent, findElsewhere, insertSendings } from './sendings.store.ts';
import * as campaigns from './store.ts';

export const recordSending = operation(
  'recordSending',
  {
    method: 'POST',
    path: '/api/v1/admin/campaigns/{id}/sendings',
    tag: 'campaigns',
    summary: 'Record that you send a copy of a notice to another place, and get its text.',
    description:
      'You send the copy, not the service. Record it first, because it counts against the ' +
      'limits of the campaign like a post and is rejected above them. A notice can be recorded ' +
      'once for each place. Recording does not need DISPATCH_ENABLED.',
    auth: 'admin',
    feature: 'campaigns',
    idempotency: 'required',
    params: campaignId,
    body: SendingRequest,
    output: SendingRecorded,
    errors: ['not_found', 'state_conflict', 'already_exists', 'limit_exceeded'],
  },
  async (
    { tx, administrator, now, newId, write, record },
    { params: { id }, body: { variantId, place } },
  ) => {
    const { campaign, state } = await lockCampaign(tx, id, 'record');
    const text = getNotice(campaign.variants, variantId);
    const [existing, sent] = await Promise.all([
      findElsewhere(tx, id, variantId, place),
      countSent(tx, id, now.slice(0, 10)),
    ]);
    if (existing)
      throw fail(
        'already_exists',
        'This notice is already recorded for this place, and a notice goes to a place only ' +
          'once. Choose another notice or place.',
        { existingId: existing.id },
      );
    // Throws if nothing more may be sent now.
    getAllowance(campaign.limits, sent);
    campaigns.setState(tx, id, state, now);
    const receiptId = record(buildNoticeReceipt(id, text, []));
    const sending = {
      id: newId(),
      variantId,
      roomId: null,
      threadId: null,
      messageId: null,
      place,
      sentAt: now,
      receiptId,
    };
    write(insertSendings, { ...sending, campaignId: id });
    const facts = { variantId, place };
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'campaign.recorded',
      targetType: 'campaign',
      targetId: id,
      facts,
      now,
    });
    return { id: sending.id, createdAt: now, state, text, receiptId };
  },
);
