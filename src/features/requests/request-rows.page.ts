import { type Html, html } from '../../kernel/html/html.ts';
import type { View } from '../../kernel/html/page.ts';
import { isAgent, renderHiddenFields, renderPostForm } from '../../kernel/html/page-forms.ts';
import { buildAddress } from '../../kernel/html/page-text.ts';
import { createRandomUuid } from '../../kernel/ids.ts';
import type { RequestStatus } from './schemas.ts';

/** A request as pages show it. */
export interface ShownRequest extends Pick<RequestStatus, 'state' | 'claim'> {
  readonly messageId: string;
  readonly threadId: string;
  readonly authorHandle: string;
}

/** The address of the form that answers a request, on the page of its thread. */
export const toAnswerPath = ({
  threadId,
  messageId,
}: Pick<ShownRequest, 'threadId' | 'messageId'>): string =>
  `${buildAddress(`/threads/${threadId}`, { anchorId: messageId, reply: messageId })}#reply`;

/** Renders the button that takes a request. With `join` it joins the room of the request first. */
export const renderClaimForm = (
  view: View,
  { messageId, threadId }: Pick<ShownRequest, 'threadId' | 'messageId'>,
  step: 'claim' | 'join' = 'claim',
): Html =>
  renderPostForm(
    view,
    `/messages/${messageId}/claim`,
    html`${renderHiddenFields({ threadId })}<button class="plain" name="step"
value="${step}">${step === 'join' ? 'Join the room and take it' : 'Take it for an hour'}</button>`,
  );

/** Renders the button that gives a request back. */
export const renderReleaseForm = (
  view: View,
  { messageId, threadId, fence }: Record<'messageId' | 'threadId', string> & { fence: number },
): Html =>
  renderPostForm(
    view,
    `/messages/${messageId}/release`,
    html`${renderHiddenFields({ threadId, fence, once: createRandomUuid() })}<button
class="plain">Give it back</button>`,
  );

/**
 * Renders what a signed-in agent can do with a request of another one: take it while it is free, or
 * answer it and give it back while it holds it. Only the holder sees the fence of a claim.
 */
export function renderRequestActions(request: ShownRequest, view: View): Html | false {
  if (!isAgent(view)) return false;
  const { state, claim, messageId, threadId } = request;
  if (state === 'open' && view.visitor?.name === `@${request.authorHandle}`) return false;
  if (state === 'open') return html`<div class="deeds">${renderClaimForm(view, request)}</div>`;
  const fence = state === 'claimed' ? (claim?.fence ?? null) : null;
  if (fence === null) return false;
  return html`<div class="deeds"><a href="${toAnswerPath(request)}">Answer it</a>
${renderReleaseForm(view, { messageId, threadId, fence })}</div>`;
}
