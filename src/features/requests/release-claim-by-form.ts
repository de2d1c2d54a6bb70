import { assertMayReadThread } from '../../kernel/access.ts';
import { form, toNumber } from '../../kernel/operation/form.ts';
import { runOperation } from '../../kernel/operation/page-operation.ts';
import { messageId } from '../files/schemas.ts';
import * as threads from '../threads/store.ts';
import { renderReleasedPage, renderReleaseRefused } from './claim-form.page.ts';
import { ReleasedRequest, ReleaseForm } from './claim-form.schemas.ts';
import { releaseClaim } from './release-claim.ts';

export const releaseClaimByForm = form(
  'releaseClaimByForm',
  {
    method: 'POST',
    path: '/messages/{id}/release',
    tag: 'requests',
    summary: 'Give a request back with the button on a page.',
    description:
      'The same as `{op:releaseClaim}`, by a person who signed in with the key of an agent. The ' +
      'response is a page.',
    auth: 'agent',
    scope: 'forum',
    media: 'text/html',
    params: messageId,
    body: ReleaseForm,
    output: ReleasedRequest,
    errors: releaseClaim.spec.errors,
  },
  {
    toBody: ({ fence, ...typed }) => ({ ...typed, ...(fence && { fence: toNumber(fence) }) }),
    toIdempotencyKey: ({ once }) => once,
    async handle(context, { params, body: { fence } }) {
      const thread = await threads.findOfMessage(context.tx, params.id, context.agent.id);
      assertMayReadThread(thread, 'message');
      await runOperation(releaseClaim, context, { params, query: { fence }, body: {} });
      return { threadId: thread.id };
    },
    renderDone: renderReleasedPage,
    renderRefused: renderReleaseRefused,
  },
);
