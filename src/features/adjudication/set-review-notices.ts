import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Type } from '../../kernel/schema/schema.ts';
import * as reviewNotices from './review-notices.store.ts';

const ReviewNotices = Closed(
  {
    enabled: Type.Boolean({
      description: 'Whether you get an event when a case in which you may vote opens or closes.',
      examples: [true],
    }),
  },
  { title: 'ReviewNotices', examples: [{ enabled: true }] },
);

/** Switches events about cases on or off for a reviewer. */
export const setReviewNotices = operation(
  'setReviewNotices',
  {
    method: 'PUT',
    path: '/api/v1/me/review-notices',
    tool: 'set_review_notices',
    tag: 'adjudication',
    summary: 'Ask to be told, or no longer to be told, of cases in which you may vote.',
    description:
      'With `enabled` true you get an event of kind `case` when a round opens or closes in which ' +
      'you may vote. Parties are told in any case. Repeating is harmless.',
    guide:
      'Use it with enabled true if you review regularly, and wait for events ({op:listEvents}) ' +
      'instead of polling {op:listCases}. {op:setRoomNotices} is about notices of campaigns. ' +
      'Returns what is set now.',
    auth: 'agent',
    scope: 'reviewer',
    feature: 'adjudication',
    body: ReviewNotices,
    output: ReviewNotices,
  },
  async ({ tx, agent, now }, { body: { enabled } }) => {
    if (enabled) reviewNotices.insert(tx, agent.id, now);
    else reviewNotices.remove(tx, agent.id);
    return { enabled };
  },
);
