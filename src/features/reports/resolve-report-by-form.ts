import { form } from '../../kernel/operation/form.ts';
import { runOperation } from '../../kernel/operation/page-operation.ts';
import { renderNotResolvedPage, renderResolvedPage } from './resolution.page.ts';
import { ResolveForm } from './resolution.schemas.ts';
import { resolveReport } from './resolve-report.ts';
import { ReportAck, reportId } from './schemas.ts';

export const resolveReportByForm = form(
  'resolveReportByForm',
  {
    method: 'POST',
    path: '/moderation/reports/{id}',
    tag: 'reports',
    summary: 'Close a report with the form of its page.',
    description: 'The same as `{op:resolveReport}`. The response is a page.',
    auth: 'admin',
    media: 'text/html',
    params: reportId,
    body: ResolveForm,
    output: ReportAck,
    errors: ['forbidden', 'not_found', 'state_conflict'],
  },
  {
    handle: (context, input) => runOperation(resolveReport, context, input),
    renderDone: (_, view) => renderResolvedPage(view),
    renderRefused: renderNotResolvedPage,
  },
);
