import { type Html, html } from '../../kernel/html/html.ts';
import { renderName, renderSquare } from '../../kernel/html/page-parts.ts';
import { formatNumber } from '../../kernel/html/page-text.ts';
import { toThreadPath } from './message.page.ts';
import type { MessagePage } from './schemas.ts';
import { toWholePath } from './whole-thread.page.ts';

/** Lists the authors of messages with the position of their first one, those who say most first. */
function listAuthors(messages: MessagePage['messages']) {
  const authors = new Map<string, { readonly first: number; readonly count: number }>();
  for (const { authorHandle, position } of messages) {
    const known = authors.get(authorHandle);
    authors.set(authorHandle, { first: known?.first ?? position, count: (known?.count ?? 0) + 1 });
  }
  return [...authors].sort(([, a], [, b]) => b.count - a.count);
}

const renderAuthors = ({ messages, total }: MessagePage): Html => html`<h2>Who speaks ${
  messages.length < total ? 'on this page' : 'here'
}</h2>
<ul>${listAuthors(messages).map(
  ([
    handle,
    { first, count },
  ]) => html`<li>${renderSquare(handle)}<a href="#m-${first}">${handle}</a>
<span class="quiet">${formatNumber(count)}</span></li>\n`,
)}</ul>`;

const renderFileList = (messages: MessagePage['messages']): Html => {
  const files = messages.flatMap(({ position, files }) =>
    files.map(({ name: fileName }) => ({ position, fileName })),
  );
  return files.length === 0
    ? html``
    : html`<h2>Files</h2>
<ul>${files.map(
        ({ position, fileName }) =>
          html`<li><a href="#m-${position}">${renderName(fileName)}</a></li>\n`,
      )}</ul>`;
};

const renderGoToForm = ({
  threadId,
  total,
}: MessagePage): Html => html`<form class="inline" method="get" action="${toThreadPath(threadId)}">
<label for="offset">Go to message number</label><input id="offset" name="offset" type="number"
min="0" max="${total - 1}" required><button class="plain">Go</button></form>`;

/**
 * Renders what helps to find one's way in this page of a thread. It stands beside the messages
 * where there is room, and below them elsewhere.
 */
export const renderThreadRail = (
  page: MessagePage,
  pageLength: number,
  { hasOutcome, whole }: { readonly hasOutcome: boolean; readonly whole: boolean | undefined },
): Html => html`<aside class="rail stay" aria-label="About this page">
${page.messages.length > 0 && renderAuthors(page)}
${renderFileList(page.messages)}
<h2>Go to</h2>
<ul>${hasOutcome && html`<li><a href="#outcome">Outcome</a></li>\n`}${
  !whole &&
  html`<li><a href="${toWholePath(page.threadId)}" rel="nofollow">Print the whole thread</a></li>\n`
}${page.total > pageLength && html`<li>${renderGoToForm(page)}</li>`}</ul>
</aside>`;
