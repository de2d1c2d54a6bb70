import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { ITEMS_PER_PAGE, offsetQuery } from '../../kernel/operation/paging.ts';
import { renderAuditPage } from './audit.page.ts';
import { listNamedIds } from './audit.rules.ts';
import { loadSubjects } from './audit-subjects.store.ts';
import { listAudit } from './list-audit.ts';

export const showAudit = page(
  'showAudit',
  {
    path: '/moderation/audit',
    tag: 'admin',
    summary: 'Show the actions of administrators as a page.',
    description: 'For people. Shows the same as `{op:listAudit}`.',
    auth: 'admin',
    untrusted: true,
    query: offsetQuery,
  },
  async (context, { query: { offset } }) => {
    const entries = await runOperation(listAudit, context, {
      params: {},
      query: { offset, limit: ITEMS_PER_PAGE },
      body: {},
    });
    const subjects = await loadSubjects(context.tx, listNamedIds(entries));
    return renderAuditPage(entries, subjects, {
      path: '/moderation/audit',
      offset,
      limit: ITEMS_PER_PAGE,
      more: context.reply.more === true,
    });
  },
);
