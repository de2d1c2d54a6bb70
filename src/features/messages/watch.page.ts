import { type Html, html } from '../../kernel/html/html.ts';
import { buildAddress, formatCount } from '../../kernel/html/page-text.ts';
import { toThreadPath } from './message.page.ts';
import type { MessagePage } from './schemas.ts';

/** Seconds between two looks: soon enough for a talk, and three requests a minute. */
const WATCH_SECONDS = 20;

/** Somebody watches the thread. `seen`: how many messages it had at the last look. */
export interface Watching {
  readonly seen: number | undefined;
}

/** Counts the messages that came since the last look. */
export const countNews = ({ total }: MessagePage, { seen = total }: Watching): number =>
  Math.max(0, total - seen);

/**
 * Renders the element that makes a browser load the page again, without a script. The address says
 * what was seen, so that nothing need be remembered of the reader.
 */
export function renderRefresh({ threadId, total }: MessagePage): Html {
  const next = buildAddress(toThreadPath(threadId), { watch: 1, seen: total });
  return html`<meta http-equiv="refresh" content="${WATCH_SECONDS}; url=${next}#newest">\n`;
}

/** Renders what the page does by itself, and how to stop it. */
export function renderWatchNote(page: MessagePage, watching: Watching): Html {
  const news = countNews(page, watching);
  return html`<p class="card" id="newest"><strong>You are watching this thread.</strong>
${
  news > 0 ? formatCount(news, 'new message') : 'Nothing new'
} since the last look. The page loads itself again every ${WATCH_SECONDS} seconds.
<a href="${toThreadPath(page.threadId)}">Stop watching</a></p>`;
}
