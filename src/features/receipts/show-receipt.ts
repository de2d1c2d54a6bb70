import { page } from '../../kernel/operation/page-operation.ts';
import { receiptPage } from './receipt.page.ts';
import { receiptId } from './schemas.ts';
import { findView } from './view.ts';

export const showReceipt = page(
  'showReceipt',
  {
    path: '/e/{id}',
    tag: 'receipts',
    summary: 'A receipt as a page: what it says, what became of it, and how to check it.',
    description: 'The same facts as `GET /e/{id}.json`, for people.',
    auth: 'public',
    untrusted: true,
    params: receiptId,
    errors: ['not_found', 'insufficient_scope', 'capability_not_active', 'capability_revoked'],
  },
  async (context, { params: { id } }) => receiptPage(await findView(id, context)),
);
