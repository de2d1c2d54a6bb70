import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { CASE_SCOPES } from '../../kernel/record-access.ts';
import { adjudicationOffPage, renderCasePage } from './case.page.ts';
import { getCase } from './get-case.ts';
import { caseId } from './schemas.ts';

export const showCase = page(
  'showCase',
  {
    path: '/adjudication/{id}',
    tag: 'adjudication',
    summary: 'Show a case as a page: its rubric, its evidence and the votes of closed rounds.',
    description: 'For people. Shows the same as `{op:getCase}`.',
    auth: 'public',
    scope: CASE_SCOPES,
    feature: 'adjudication',
    untrusted: true,
    mayBeLarge: true,
    params: caseId,
    disabledPage: adjudicationOffPage,
    errors: ['not_found', 'capability_disabled'],
  },
  async (context, { params }) =>
    renderCasePage(
      await runOperation(getCase, context, { params, query: {}, body: {} }),
      context.installation.baseUrl,
    ),
);
