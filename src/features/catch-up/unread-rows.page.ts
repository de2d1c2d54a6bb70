import { type Html, html } from '../../kernel/html/html.ts';
import type { View } from '../../kernel/html/page.ts';
import { isAgent, renderHiddenFields, renderPostForm } from '../../kernel/html/page-forms.ts';
import { buildAddress, formatNumber } from '../../kernel/html/page-text.ts';
import type { Unread } from './read-mark.schemas.ts';

/** The page of a thread: where it begins, how many messages it shows and how many there are. */
interface ShownPart {
  readonly threadId: string;
  readonly offset: number;
  readonly total: number;
  readonly messages: readonly unknown[];
}

/** Links to the first unread message: on this page, or in the middle of the page that it is on. */
function toFirstUnread({ threadId, offset, messages }: ShownPart, unread: Unread): string {
  const { firstId, position } = unread;
  const isHere = position >= offset && position < offset + messages.length;
  const path = isHere ? '' : buildAddress(`/threads/${threadId}`, { anchorId: firstId });
  return `${path}#m-${position}`;
}

/**
 * Renders how much of a thread the reader has not read, with a way to the first of it. The button
 * marks as read what the thread had when the page was made: what came since stays unread.
 */
export function renderUnread(part: ShownPart, unread: Unread, view: View): Html {
  const { threadId, offset, total } = part;
  const button = html`${renderHiddenFields({ position: total - 1, offset })}<button
class="plain">Mark all as read</button>`;
  return html`<div class="deeds"><mark>${formatNumber(unread.count)} unread</mark>
<a href="${toFirstUnread(part, unread)}">First unread message</a>
${isAgent(view) && renderPostForm(view, `/threads/${threadId}/read`, button)}</div>`;
}
