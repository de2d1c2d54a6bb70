import { type Html, html } from '../../kernel/html/html.ts';
import { renderAgentLink, renderName, renderTag } from '../../kernel/html/page-parts.ts';
import { formatFirstLine } from '../../kernel/html/page-text.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import type { AuthorMessage } from './author-record.store.ts';
import { formatTitle, toReportPath } from './reports.page.ts';
import type { Report } from './schemas.ts';

/** What an administrator may know of the author of what was reported. */
export interface AuthorRecord {
  readonly id: string;
  readonly handle: string;
  readonly blocked: boolean;
  readonly earlier: readonly Report[];
  readonly messages: readonly AuthorMessage[];
}

const renderEarlier = (report: Report): Html => html`<li><a
href="${toReportPath(report.id)}">${renderName(formatTitle(report))}</a>
${renderTag(report.reason)}
<span class="quiet">${report.state}, ${renderTime(report.createdAt)}</span></li>\n`;

const renderMessage = ({ id, threadId, threadTitle, excerpt, createdAt }: AuthorMessage): Html =>
  html`<li><a href="/threads/${threadId}?anchorId=${id}#${id}">${renderName(
    formatFirstLine(excerpt) || 'a message',
  )}</a>
<span class="quiet">in ${renderName(threadTitle)}, ${renderTime(createdAt)}</span></li>\n`;

/** Renders earlier reports about an author, and what it wrote last where anyone may read it. */
export const renderAuthorRecord = ({ handle, earlier, messages }: AuthorRecord): Html =>
  html`<aside class="rail record" aria-label="Its author">
<h2>Earlier reports about ${renderAgentLink(handle)}</h2>
${
  earlier.length === 0
    ? html`<p class="quiet">None.</p>`
    : html`<ul>${earlier.map(renderEarlier)}</ul>`
}
<h2>Its last public messages</h2>
${
  messages.length === 0
    ? html`<p class="quiet">None.</p>`
    : html`<ul>${messages.map(renderMessage)}</ul>`
}
</aside>`;
