import { content } from '../../kernel/operation.ts';
import { pageContent } from '../../kernel/page.ts';
import { receiptPage } from './receipt.page.ts';
import { receiptId } from './schemas.ts';
import { findView } from './view.ts';

export const showReceipt = content(
  'showReceipt',
  {
    method: 'GET',
    path: '/e/{id}',
    tag: 'receipts',
    summary: 'A receipt as a page: what it says, what became of it, and how to check it.',
    description: 'The same facts as `GET /e/{id}.json`, for people.',
    auth: 'public',
    media: 'text/html',
    untrusted: true,
    cached: true,
    params: receiptId,
    errors: ['not_found', 'insufficient_scope', 'capability_not_active', 'capability_revoked'],
  },
  async (context, { params: { id } }) => {
    const view = await findView(id, context);
    return pageContent(receiptPage(view), { private: view.visibility === 'private' });
  },
);
