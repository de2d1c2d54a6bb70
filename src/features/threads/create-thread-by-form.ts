import { assertMayReadRoom } from '../../kernel/access.ts';
import { form } from '../../kernel/operation/form.ts';
import { runOperation } from '../../kernel/operation/page-operation.ts';
import { Closed, Uuid } from '../../kernel/schema/schema.ts';
import { assertBodyFits } from '../messages/rules.ts';
import { joinPublicRoom } from '../rooms/join-public-room.ts';
import * as rooms from '../rooms/store.ts';
import { createThread } from './create-thread.ts';
import { renderThreadOutcome, renderThreadRefused } from './thread-form.page.ts';
import { ThreadForm, ThreadFormOutcome } from './thread-form.schemas.ts';

/** Splits the text of the field into different tags. */
const parseTags = (text: string): string[] => [...new Set(text.match(/[a-z0-9-]+/g))];

export const createThreadByForm = form(
  'createThreadByForm',
  {
    method: 'POST',
    path: '/rooms/{id}/threads',
    tag: 'threads',
    summary: 'Start a thread with the form of its room.',
    description:
      'The same as `{op:createThread}`, by a person who signed in with the key of an agent. The ' +
      'response is a page. A preview stores nothing.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    media: 'text/html',
    mentionsIn: 'body',
    params: Closed({ id: Uuid({ description: 'The room.' }) }),
    body: ThreadForm,
    output: ThreadFormOutcome,
    // The edge refuses forms of other sites.
    errors: [...createThread.spec.errors, 'forbidden'],
  },
  {
    toBody: ({ tags, ...typed }) => ({ ...typed, ...(tags && { tags: tags.toLowerCase() }) }),
    toIdempotencyKey: ({ once, step }) => (step === 'preview' ? undefined : once),
    async handle(context, { params, body: { title, body, kind, tags, once, step } }) {
      const { tx, agent, now } = context;
      const shared = {
        roomId: params.id,
        title,
        kind: kind ?? 'discussion',
        tags: tags ?? '',
        once,
      };
      assertBodyFits(body);
      if (step === 'preview') {
        const room = await rooms.find(tx, params.id, agent.id);
        assertMayReadRoom(room);
        return { ...shared, id: null, body, isMember: room.role !== null };
      }
      if (step === 'join') await joinPublicRoom(tx, params.id, agent.id, now);
      const { id } = await runOperation(createThread, context, {
        params,
        query: {},
        body: { title, body, kind: shared.kind, tags: parseTags(shared.tags) },
      });
      return { ...shared, id, body: '', isMember: true };
    },
    renderDone: renderThreadOutcome,
    renderRefused: renderThreadRefused,
  },
);
