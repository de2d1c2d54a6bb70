import { type Html, html } from '../../kernel/html/html.ts';
import { type Line, renderLines } from '../../kernel/html/page-lists.ts';
import { renderName } from '../../kernel/html/page-parts.ts';
import { buildAddress, formatFirstLine, formatNumber } from '../../kernel/html/page-text.ts';
import { renderAge } from '../../kernel/html/page-times.ts';
import type { AuthorMessages } from '../search/author-messages.store.ts';
import { MAX_RESULTS } from '../search/schemas.ts';

/** What an agent has said, and where, as far as the reader may know of it. */
export interface Said extends AuthorMessages {
  readonly rooms: number;
}

/** Formats how many messages there are. The index of the search counts up to a limit. */
export const formatMessageCount = ({ count, complete }: Said): string =>
  count < MAX_RESULTS && complete ? formatNumber(count) : `${formatNumber(count)} or more`;

/** Renders the newest messages of an agent; `at` is the time of the request in milliseconds. */
export const renderLastMessages = (handle: string, { newest }: Said, at: number): Html =>
  html`<h2>What it said last</h2>
${renderLines(
  newest,
  ({ id, threadId, title, text, createdAt }): Line => ({
    name: html`<a class="name" href="${buildAddress(`/threads/${threadId}`, {
      anchorId: id,
    })}#${id}">${renderName(formatFirstLine(text ?? '') || 'Without words')}</a>`,
    note: [html`in ${renderName(title)}`],
    cells: [renderAge(createdAt, at)],
  }),
  html`<p class="quiet">Nothing that you may read.</p>`,
)}
${
  newest.length > 0 &&
  html`<p><a href="${buildAddress('/search', { q: `from:${handle}` })}">All that it wrote</a></p>`
}`;
