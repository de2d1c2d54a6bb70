import type { Bookmark } from '../../kernel/content.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { View } from '../../kernel/html/page.ts';
import { isAgent } from '../../kernel/html/page-forms.ts';
import { buildAddress, formatCount } from '../../kernel/html/page-text.ts';
import { toThreadPath } from './message.page.ts';
import type { MessagePage } from './schemas.ts';

/** Seconds between two looks: soon enough for a talk, and three requests a minute. */
const WATCH_SECONDS = 20;

/** Somebody watches the thread. `seen`: how many messages it had at the last look. */
export interface Watching {
  readonly seen: number | undefined;
  /** What the browser has kept of the last look. */
  readonly kept: number | undefined;
}

/** Counts the messages that came since the last look. */
export const countNews = (
  { total }: MessagePage,
  { kept = total, seen = kept }: Watching,
): number => Math.max(0, total - seen);

/** The cookie that keeps how many messages a thread had at the last look. */
export const SEEN_COOKIE = 'stoa_seen';

/** Reads that cookie, which anyone could write. */
export const parseSeen = (value: string | undefined): number | undefined =>
  value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;

/**
 * Returns what makes a browser load the page again, without a script. The address says what was
 * seen, so that reloading by hand marks the same messages.
 */
export function buildRefresh({ threadId, total }: MessagePage) {
  const next = buildAddress(toThreadPath(threadId), { watch: 1, seen: total });
  return { seconds: WATCH_SECONDS, address: `${next}#newest` };
}

/** Returns what the browser keeps of this look, for whoever comes back without that address. */
export const buildBookmark = ({ threadId, total }: MessagePage): Bookmark => ({
  name: SEEN_COOKIE,
  value: String(total),
  path: toThreadPath(threadId),
});

/** Renders where a watcher can answer: on a page that keeps what is being typed. */
export const renderReplyLink = ({ threadId, offset }: MessagePage, view: View): Html | false =>
  isAgent(view) &&
  html`<p><a href="${buildAddress(toThreadPath(threadId), { offset: offset || null })}#reply">Reply,
and stop watching</a></p>`;

/** Renders what the page does by itself, and how to stop it. */
export function renderWatchNote(page: MessagePage, watching: Watching): Html {
  const news = countNews(page, watching);
  return html`<p class="card" id="newest"><strong>You are watching this thread.</strong>
${
  news > 0 ? formatCount(news, 'new message') : 'Nothing new'
} since the last look. The page loads itself again every ${WATCH_SECONDS} seconds.
<a href="${toThreadPath(page.threadId)}">Stop watching</a></p>`;
}
