import { answerOf, page } from '../../kernel/operation/page-operation.ts';
import { LISTED, offsetQuery } from '../../kernel/operation/paging.ts';
import { auditPage } from './act.page.ts';
import { listAudit } from './list-audit.ts';

export const showAudit = page(
  'showAudit',
  {
    path: '/moderation/audit',
    tag: 'admin',
    summary: 'What administrators did, as a page.',
    description: 'For people; the same as `GET /api/v1/admin/audit`.',
    auth: 'admin',
    untrusted: true,
    query: offsetQuery,
  },
  async (context, { query: { offset = 0 } }) => {
    const entries = await answerOf(listAudit, context, {
      params: {},
      query: { offset, limit: LISTED },
      body: {},
    });
    return auditPage(entries, {
      path: '/moderation/audit',
      offset,
      limit: LISTED,
      more: context.reply.more === true,
    });
  },
);
