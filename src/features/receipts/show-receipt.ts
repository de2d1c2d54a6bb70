import { page } from '../../kernel/operation/page-operation.ts';
import { renderReceiptPage } from './receipt.page.ts';
import { getView } from './receipt-views.ts';
import { receiptId } from './schemas.ts';

export const showReceipt = page(
  'showReceipt',
  {
    path: '/e/{id}',
    tag: 'receipts',
    summary: 'A receipt as a page, with the current state of its subject and how to check it.',
    description: 'For people. It has the same facts as `{op:getReceiptDocument}`.',
    auth: 'public',
    untrusted: true,
    params: receiptId,
    errors: ['not_found', 'insufficient_scope', 'capability_not_active', 'capability_revoked'],
  },
  async (context, { params: { id } }) => renderReceiptPage(await getView(id, context)),
);
