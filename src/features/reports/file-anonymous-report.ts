import { form } from '../../kernel/operation/form.ts';
import { filedPage, INTAKE, intakePage } from './intake.page.ts';
import { idIn } from './rules.ts';
import { ReportAck, ReportForm } from './schemas.ts';
import * as reports from './store.ts';

/**
 * What was reported is not looked up: the answer is the same, and takes the same time, for something public, for something
 * private and for nothing at all. Administrators see which it is.
 */
export const fileAnonymousReport = form(
  'fileAnonymousReport',
  {
    method: 'POST',
    path: INTAKE,
    summary: 'File a report by the form, without an account.',
    description:
      'Sent by the page of the same address, and answered with pages. The answer does not tell whether there is such a thing.',
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
    read: (typed) => ({
      ...typed,
      ...(typed.targetId !== undefined && { targetId: idIn(typed.targetId) }),
    }),
    done: ({ id }) => filedPage(id),
    refused: (problem, typed, view) => intakePage(typed, view, problem),
  },
);
