import { form } from '../../kernel/operation/form.ts';
import { INTAKE_PATH, renderFiledPage, renderIntakePage } from './intake.page.ts';
import { extractId } from './rules.ts';
import { ReportAck, ReportForm } from './schemas.ts';
import * as reports from './store.ts';

/**
 * Files a report without an account. It does not look up the target, so the response is the same,
 * and takes the same time, whether the target is public, private or does not exist. Administrators
 * see which it is.
 */
export const fileAnonymousReport = form(
  'fileAnonymousReport',
  {
    method: 'POST',
    path: INTAKE_PATH,
    summary: 'File a report with the form, without an account.',
    description:
      'The page at the same address sends it, and the response is a page. The response does ' +
      'not reveal whether the target exists.',
    tag: 'reports',
    auth: 'public',
    rate: 'anonymousReports',
    media: 'text/html',
    body: ReportForm,
    output: ReportAck,
    errors: ['forbidden'],
  },
  {
    async handle({ tx, now, newId }, { body: { targetType, targetId, reason, detail } }) {
      const id = newId();
      await reports.insert(tx, {
        id,
        targetType,
        targetId,
        reason,
        detail: detail || null,
        reporterId: null,
        createdAt: now,
      });
      return { id, createdAt: now };
    },
    toBody: (typed) => ({
      ...typed,
      ...(typed.targetId !== undefined && { targetId: extractId(typed.targetId) }),
    }),
    renderDone: ({ id }) => renderFiledPage(id),
    renderRefused: (problem, typed, view) => renderIntakePage(typed, view, problem),
  },
);
