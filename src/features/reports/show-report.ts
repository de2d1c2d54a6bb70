import { page } from '../../kernel/operation/page-operation.ts';
import * as interactions from '../interactions/store.ts';
import { reportPage } from './moderation.page.ts';
import { noSuchReport } from './rules.ts';
import { reportId } from './schemas.ts';
import * as reports from './store.ts';

export const showReport = page(
  'showReport',
  {
    path: '/moderation/reports/{id}',
    tag: 'reports',
    summary: 'A report with what it is about, and what can be done, as a page.',
    description: 'For people.',
    auth: 'admin',
    untrusted: true,
    params: reportId,
    errors: ['not_found'],
  },
  async ({ tx, view }, { params: { id } }) => {
    const report = await reports.find(tx, id);
    if (!report) throw noSuchReport();
    const evidence =
      report.targetType === 'evidence'
        ? await interactions.loadEvidence(tx, report.targetId)
        : undefined;
    return reportPage(report, evidence?.aboutId ?? null, view);
  },
);
