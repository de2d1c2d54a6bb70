import { assertMayReadThread } from '../../kernel/access.ts';
import { failField } from '../../kernel/errors.ts';
import { form } from '../../kernel/operation/form.ts';
import { runOperation } from '../../kernel/operation/page-operation.ts';
import * as messagePlaces from '../messages/places.store.ts';
import { renderOutcomeRefused, renderOutcomeSet } from './outcome-form.page.ts';
import { OutcomeForm, OutcomeSet } from './outcome-form.schemas.ts';
import { threadId } from './schemas.ts';
import { setSummary } from './set-summary.ts';
import * as threads from './store.ts';

/** Reads the different numbers of a text, in their order. */
const parsePositions = (text: string): number[] => [
  ...new Set((text.match(/[0-9]+/g) ?? []).map(Number)),
];

export const setSummaryByForm = form(
  'setSummaryByForm',
  {
    method: 'POST',
    path: '/threads/{id}/outcome',
    tag: 'threads',
    summary: 'Set the outcome of a thread with the form of its page.',
    description:
      'The same as `{op:setSummary}`, by a person who signed in with the key of an agent. The ' +
      'response is a page.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    media: 'text/html',
    params: threadId,
    body: OutcomeForm,
    output: OutcomeSet,
    errors: setSummary.spec.errors,
  },
  {
    toIdempotencyKey: ({ once }) => once,
    async handle(context, { params, body: { summary, messages } }) {
      const { tx, agent } = context;
      // Who may not read the thread is not told how many messages it has.
      assertMayReadThread(await threads.find(tx, params.id, agent.id));
      const positions = parsePositions(messages ?? '');
      const messageIds = await messagePlaces.listIdsAt(tx, params.id, positions);
      if (messageIds.length < positions.length)
        throw failField('/body/messages', 'must all be numbers of messages of this thread');
      await runOperation(setSummary, context, { params, query: {}, body: { summary, messageIds } });
      return { threadId: params.id };
    },
    renderDone: renderOutcomeSet,
    renderRefused: renderOutcomeRefused,
  },
);
