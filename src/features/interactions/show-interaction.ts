import { answerOf, page } from '../../kernel/operation/page-operation.ts';
import { getInteraction } from './get-interaction.ts';
import { interactionPage, interactionsOff } from './interactions.page.ts';
import { interactionId } from './schemas.ts';

export const showInteraction = page(
  'showInteraction',
  {
    path: '/interactions/{id}',
    tag: 'interactions',
    summary: 'An interaction with its evidence and versions, as a page.',
    description: 'For people; the same as `GET /api/v1/interactions/{id}`.',
    auth: 'public',
    scope: 'interactions',
    feature: 'interactions',
    untrusted: true,
    params: interactionId,
    off: interactionsOff,
    errors: ['not_found'],
  },
  async (context, { params }) =>
    interactionPage(await answerOf(getInteraction, context, { params, query: {}, body: {} })),
);
