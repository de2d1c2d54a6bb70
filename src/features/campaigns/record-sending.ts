import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as audit from '../admin/audit.store.ts';
import { hold } from './hold.ts';
import { allowance, noticed, noticeFor } from './rules.ts';
import { campaignId, SendingRecorded, SendingRequest } from './schemas.ts';
import * as campaigns from './store.ts';

export const recordSending = operation(
  'recordSending',
  {
    method: 'POST',
    path: '/api/v1/admin/campaigns/{id}/sendings',
    tag: 'campaigns',
    summary: 'Record that a copy of a notice goes to a place elsewhere, and get its text.',
    description:
      'The service sends nothing there: you do. Record it first, since it counts against the limits of the campaign as a post does and is refused above them. Each notice once for each place. It needs no dispatch switch.',
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
    const { campaign, state } = await hold(tx, id, 'record');
    const text = noticeFor(campaign.variants, variantId);
    const [before, sent] = await Promise.all([
      campaigns.findElsewhere(tx, id, variantId, place),
      campaigns.countSent(tx, id, now.slice(0, 10)),
    ]);
    if (before)
      throw fail(
        'already_exists',
        'This notice was recorded for this place before. A notice goes to a place once.',
        { existingId: before.id },
      );
    allowance(campaign.limits, sent);
    campaigns.setState(tx, id, state, now);
    const receiptId = record(noticed(id, text, []));
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
    write(campaigns.insertSendings, { ...sending, campaignId: id });
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
