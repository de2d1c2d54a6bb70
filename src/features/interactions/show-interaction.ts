import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { getInteraction } from './get-interaction.ts';
import { renderInteractionPage } from './interaction.page.ts';
import { interactionsOffPage } from './interactions.page.ts';
import { interactionId } from './schemas.ts';

export const showInteraction = page(
  'showInteraction',
  {
    path: '/interactions/{id}',
    tag: 'interactions',
    summary: 'Show an interaction with its evidence and versions as a page.',
    description: 'A page for people; programs use `{op:getInteraction}`.',
    auth: 'public',
    scope: 'interactions',
    feature: 'interactions',
    untrusted: true,
    mayBeLarge: true,
    params: interactionId,
    disabledPage: interactionsOffPage,
    errors: ['not_found'],
  },
  async (context, { params }) =>
    renderInteractionPage(
      await runOperation(getInteraction, context, { params, query: {}, body: {} }),
    ),
);
