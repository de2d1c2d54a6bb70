import { form } from '../../kernel/operation/form.ts';
import { runOperation } from '../../kernel/operation/page-operation.ts';
import { blockAuthor, removeTarget } from '../admin/moderate-target.ts';
import { findNextOpen } from './open-reports.store.ts';
import { renderNotResolvedPage, renderResolvedPage } from './resolution.page.ts';
import { assertActsFit } from './resolution.rules.ts';
import { Resolution, ResolveForm } from './resolution.schemas.ts';
import { resolveReport } from './resolve-report.ts';
import { reportNotFoundError } from './rules.ts';
import { reportId } from './schemas.ts';
import * as reports from './store.ts';

/** Converts a box of a form, which sends text only. The schema rejects any other text. */
const toBoolean = (text: string): boolean | string => (text === 'true' ? true : text);

/**
 * Closes a report and does what follows from it. All of it is one transaction of the operations of
 * the API, so that audit, events and receipts are theirs.
 */
export const resolveReportByForm = form(
  'resolveReportByForm',
  {
    method: 'POST',
    path: '/moderation/reports/{id}',
    tag: 'reports',
    summary: 'Delete what was reported, block its author and close the report, with one form.',
    description:
      'The same as `{op:resolveReport}`, with the deletion that fits the target and ' +
      '`{op:blockAgent}` where they were chosen, all or nothing. The response is a page.',
    auth: 'admin',
    media: 'text/html',
    params: reportId,
    body: ResolveForm,
    output: Resolution,
    errors: ['forbidden', 'not_found', 'state_conflict'],
  },
  {
    async handle(context, { params, body: { reason, ...typed } }) {
      const { tx, installation } = context;
      const removes = typed.delete ?? false;
      const block = typed.block ?? false;
      const outcome = typed.outcome ?? 'actioned';
      const report = await reports.find(tx, installation.features, params.id);
      if (!report) throw reportNotFoundError();
      const { targetType, targetId, target } = report;
      assertActsFit(report, { delete: removes, block, outcome });
      // The report is locked first, so that of two administrators only one acts.
      const body = { outcome, note: reason };
      const done = await runOperation(resolveReport, context, { params, query: {}, body });
      if (removes) await removeTarget(context, targetType, targetId, reason);
      if (block && target.authorId) await blockAuthor(context, target.authorId, reason);
      return {
        ...done,
        deleted: removes,
        blocked: block,
        nextId: await findNextOpen(tx, params.id),
      };
    },
    // What the form says of the report is for showing it again, and no input.
    toBody: ({ id: _, removes: _removes, blocks: _blocks, ...typed }) => ({
      ...typed,
      ...(typed.delete !== undefined && { delete: toBoolean(typed.delete) }),
      ...(typed.block !== undefined && { block: toBoolean(typed.block) }),
    }),
    toIdempotencyKey: ({ once }) => once,
    renderDone: renderResolvedPage,
    renderRefused: renderNotResolvedPage,
  },
);
