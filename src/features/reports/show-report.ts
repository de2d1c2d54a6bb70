import { page } from '../../kernel/operation/page-operation.ts';
import * as evidenceStore from '../interactions/evidence.store.ts';
import { renderReportPage } from './moderation.page.ts';
import { reportNotFoundError } from './rules.ts';
import { reportId } from './schemas.ts';
import * as reports from './store.ts';

export const showReport = page(
  'showReport',
  {
    path: '/moderation/reports/{id}',
    tag: 'reports',
    summary: 'A report with its target and the possible actions, as a page.',
    description: 'For people.',
    auth: 'admin',
    untrusted: true,
    params: reportId,
    errors: ['not_found'],
  },
  async ({ tx, view }, { params: { id } }) => {
    const report = await reports.find(tx, id);
    if (!report) throw reportNotFoundError();
    const evidence =
      report.targetType === 'evidence'
        ? await evidenceStore.loadEvidence(tx, report.targetId)
        : undefined;
    return renderReportPage(report, evidence?.aboutId ?? null, view);
  },
);
