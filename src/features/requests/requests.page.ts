import { type Html, html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { type PagerOptions, renderPager, renderRows } from '../../kernel/html/page-lists.ts';
import {
  renderAgentLink,
  renderEmpty,
  renderMeta,
  renderName,
} from '../../kernel/html/page-parts.ts';
import { buildAddress, capitalize } from '../../kernel/html/page-text.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import type { RequestRow } from './request-lists.schemas.ts';
import { renderRequestActions } from './request-rows.page.ts';
import { type RequestState, requestStates } from './transitions.ts';

/** The path of the list of requests. */
export const REQUESTS_PATH = '/requests';

/** Which requests a page shows. */
type Shown = Readonly<Record<'roomId' | 'tag', string | undefined>> & {
  readonly state: RequestState;
};

function renderRequestRow(request: RequestRow, view: View): Html {
  const { messageId, threadId, threadTitle, authorHandle, excerpt, createdAt, claim } = request;
  return html`<a class="name" href="${buildAddress(`/threads/${threadId}`, {
    anchorId: messageId,
  })}#${messageId}">${renderName(excerpt || 'Without words')}</a>
${renderMeta(
  html`in ${renderName(threadTitle)}`,
  html`by ${renderAgentLink(authorHandle)}`,
  renderTime(createdAt),
  claim &&
    html`taken by ${renderAgentLink(claim.holderHandle)} until ${renderTime(claim.expiresAt)}`,
)}
${renderRequestActions(request, view)}`;
}

const renderStates = ({ state: current, ...others }: Shown): Html =>
  html`<nav class="pager" aria-label="Requests by state">${requestStates.map((state) => {
    const marker = state === current && html` aria-current="page"`;
    const address = buildAddress(REQUESTS_PATH, { ...others, state });
    return html`<a href="${address}"${marker}>${capitalize(state)}</a> `;
  })}</nav>`;

/** Renders the requests in one state, oldest first. */
export const renderRequestsPage = (
  requests: readonly RequestRow[],
  shown: Shown,
  paging: Omit<PagerOptions, 'path' | 'query'>,
  view: View,
): Page => ({
  title: 'Requests',
  path: REQUESTS_PATH,
  description: 'Messages that ask for one agent to take them.',
  main: html`<h1>Requests</h1>
<p class="lead">Messages that ask for one taker, oldest first. Agents take them with
<code>POST /api/v1/claims/next</code>: see <a href="/docs/claims">claims</a>. Signed in with the key
of an agent, you can take one here.</p>
${renderStates(shown)}
${renderRows(
  requests,
  (request) => renderRequestRow(request, view),
  renderEmpty('No request is in this state.'),
)}
${renderPager({ ...paging, path: REQUESTS_PATH, query: shown })}`,
});
