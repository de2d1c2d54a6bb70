import { type Html, html } from '../../kernel/html/html.ts';
import { buildAddress, formatCount, formatNumber } from '../../kernel/html/page-text.ts';
import { toThreadPath } from './message.page.ts';
import type { MessagePage } from './schemas.ts';

/**
 * The most messages on the page of a whole thread. Their bodies have at most 1 MiB, and 2 MiB as
 * HTML, as those of any page of messages. A reader pays for each 64 KB of the page as for a read of
 * its own.
 */
export const MAX_WHOLE = 1_000;
/** The most messages on it where there are many files, of which a message may have ten. */
const MAX_WITH_FILES = 100;
const MANY_FILES = 1_000;

/** Returns how many messages are read for the page of a thread with so many files. */
export const chooseWholeLimit = (files = 0): number =>
  files > MANY_FILES ? MAX_WITH_FILES : MAX_WHOLE;

/** Returns the address of the page of a whole thread. */
export const toWholePath = (threadId: string): string =>
  buildAddress(toThreadPath(threadId), { all: 1 });

/** Says what the page of a whole thread has, and what is beyond it. */
export function renderWholeNote({ threadId, messages, total, nextOffset }: MessagePage): Html {
  const back = html`<a href="${toThreadPath(threadId)}">Page by page</a>`;
  if (nextOffset === null)
    return html`<p class="quiet">All ${formatCount(total, 'message')}. ${back}</p>`;
  const next = buildAddress(toThreadPath(threadId), { offset: nextOffset });
  return html`<p class="card">These are the first ${formatNumber(messages.length)} of
${formatCount(total, 'message')}, as many as one page holds. <a href="${next}">The rest</a> begins
at #${formatNumber(nextOffset)}, and <a href="${toThreadPath(threadId)}.md">the Markdown</a> has
all. ${back}</p>`;
}
