import { answerOf, page } from '../../kernel/operation/page-operation.ts';
import { adjudicationOff, casePage } from './case.page.ts';
import { getCase } from './get-case.ts';
import { caseId } from './schemas.ts';

export const showCase = page(
  'showCase',
  {
    path: '/adjudication/{id}',
    tag: 'adjudication',
    summary: 'A case with its rubric, evidence, and the votes of closed rounds, as a page.',
    description: 'For people; the same as `GET /api/v1/adjudication/cases/{id}`.',
    auth: 'public',
    feature: 'adjudication',
    untrusted: true,
    params: caseId,
    off: adjudicationOff,
    errors: ['not_found'],
  },
  async (context, { params }) =>
    casePage(
      await answerOf(getCase, context, { params, query: {}, body: {} }),
      context.installation.baseUrl,
    ),
);
