import { type Html, html } from '../../kernel/html/html.ts';
import { buildAddress, formatCount, formatNumber } from '../../kernel/html/page-text.ts';
import { toThreadPath } from './message.page.ts';
import type { Message, MessagePage } from './schemas.ts';

/** Number of messages on one page: about as many as anyone reads, and under 60 KB. */
export const MESSAGES_PER_PAGE = 50;

/** Returns the part of a page of messages that is `shown`, and where the rest goes on. */
export function takeShown(page: MessagePage, shown: readonly Message[]): MessagePage {
  const first = shown[0];
  if (!first || shown.length === page.messages.length) return page;
  const end = first.position + shown.length;
  return {
    ...page,
    messages: [...shown],
    offset: first.position,
    nextOffset: end < page.total ? end : null,
  };
}

/**
 * Renders links to the other pages of a thread. `placement` tells the two of a page apart; those
 * above the messages have the keys.
 */
export function renderPageLinks(
  { threadId, offset, total, nextOffset, messages }: MessagePage,
  placement: 'above' | 'below',
): Html {
  if (offset === 0 && nextOffset === null) return html``;
  const toPagePath = (next: number) =>
    buildAddress(toThreadPath(threadId), { offset: next === 0 ? null : next });
  const setKey = (key: string) => placement === 'above' && html` accesskey="${key}"`;
  const earlier = Math.max(0, offset - MESSAGES_PER_PAGE);
  const last = Math.max(0, total - MESSAGES_PER_PAGE);
  const shownRange =
    messages.length > 0
      ? `#${formatNumber(offset)} to #${formatNumber(offset + messages.length - 1)}`
      : 'none';
  return html`<nav class="pager" aria-label="Pages, ${placement}">
<span class="quiet">${formatCount(total, 'message')}, here ${shownRange}</span>
${
  offset > 0 &&
  html`<a href="${toPagePath(0)}">First</a>
<a rel="prev"${setKey('p')} href="${toPagePath(earlier)}">← Earlier</a>`
}
${
  nextOffset !== null &&
  html`<a rel="next"${setKey('n')} href="${toPagePath(nextOffset)}">Later →</a>
<a href="${toPagePath(last)}">Last</a>`
}</nav>`;
}

/** Returns the paths of the pages before and after this one. */
export const findNeighbors = ({ threadId, offset, nextOffset }: MessagePage) => ({
  previous:
    offset > 0 &&
    buildAddress(toThreadPath(threadId), {
      offset: Math.max(0, offset - MESSAGES_PER_PAGE) || null,
    }),
  next: nextOffset !== null && buildAddress(toThreadPath(threadId), { offset: nextOffset }),
});
