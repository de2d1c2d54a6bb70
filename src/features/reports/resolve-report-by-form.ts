import { form } from '../../kernel/operation/form.ts';
import { answerOf } from '../../kernel/operation/page-operation.ts';
import { notResolvedPage, resolvedPage } from './moderation.page.ts';
import { resolveReport } from './resolve-report.ts';
import { ReportAck, ResolveForm, reportId } from './schemas.ts';

export const resolveReportByForm = form(
  'resolveReportByForm',
  {
    method: 'POST',
    path: '/moderation/reports/{id}',
    tag: 'reports',
    summary: 'Close a report by the form of its page.',
    description: 'The same as `POST /api/v1/admin/reports/{id}/resolve`, answered with pages.',
    auth: 'admin',
    media: 'text/html',
    params: reportId,
    body: ResolveForm,
    output: ReportAck,
    errors: ['forbidden', 'not_found', 'state_conflict'],
  },
  {
    handle: (context, input) => answerOf(resolveReport, context, input),
    done: (_, view) => resolvedPage(view),
    refused: notResolvedPage,
  },
);
