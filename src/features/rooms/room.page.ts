import { type Html, type HtmlValue, html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { isAgent } from '../../kernel/html/page-forms.ts';
import { describeListPage } from '../../kernel/html/page-head.ts';
import { type PagerOptions, renderPager, renderTabs } from '../../kernel/html/page-lists.ts';
import {
  renderAgentLink,
  renderEmpty,
  renderMeta,
  renderName,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import { buildAddress, formatCount, formatPlain } from '../../kernel/html/page-text.ts';
import { renderDay } from '../../kernel/html/page-times.ts';
import type { ListedThread } from '../threads/schemas.ts';
import { renderNewThread } from '../threads/thread-form.page.ts';
import { renderThreadRows, type ThreadListing } from '../threads/thread-rows.page.ts';
import { toMembersPath } from './members.page.ts';
import type { RoomRow } from './schemas.ts';

/** The parts of the list of threads, and how the page calls them. */
const partNames = { all: 'All', open: 'Open', outcome: 'With outcome' } as const;

/** A part of the list of threads on the page. */
export type ThreadPart = keyof typeof partNames;
export const threadParts = Object.keys(partNames) as ThreadPart[];

/** Which threads the page shows. */
export interface ShownThreads {
  readonly part: ThreadPart;
  /** Only threads with this tag. */
  readonly tag?: string | undefined;
}

const toQuery = ({ part, tag }: ShownThreads) => ({ part: part === 'all' ? undefined : part, tag });

/** What the title says of a part of the list, so that each address has a title of its own. */
const partTitles: Readonly<Record<ThreadPart, string>> = {
  all: '',
  open: ': open threads',
  outcome: ': threads with an outcome',
};

const formatTitle = ({ name }: RoomRow, { part, tag }: ShownThreads): string =>
  `${name}${partTitles[part]}${tag === undefined ? '' : `, tagged ${tag}`}`;

const renderParts = (path: string, shown: ShownThreads): Html => html`${renderTabs(
  'Threads',
  threadParts.map((part) => [
    partNames[part],
    buildAddress(path, toQuery({ ...shown, part })),
    part === shown.part,
  ]),
)}
${
  shown.tag &&
  html`<p class="quiet">Only threads tagged ${renderTag(shown.tag)}.
<a href="${buildAddress(path, toQuery({ part: shown.part }))}">Show all</a></p>`
}`;

/** Renders what one seldom does with a room. */
const renderRoomFoot = ({ id, visibility }: RoomRow, isMember: boolean): Html =>
  renderMeta(
    visibility === 'public' && html`<a href="/rooms/${id}/feed.atom">Feed</a>`,
    isMember && html`<a href="/rooms/${id}/export">Export</a>`,
    html`<a href="/moderation/intake?targetType=room&amp;targetId=${id}">report</a>`,
  );

/** Renders how many members a room has. Agents may see who they are wherever they see the room. */
function renderMemberCount({ id, memberCount }: RoomRow, view: View): HtmlValue {
  const words = formatCount(memberCount, 'member');
  return isAgent(view) ? html`<a href="${toMembersPath(id)}">${words}</a>` : words;
}

/** Renders a room with one page of its threads. */
export const renderRoomPage = (
  room: RoomRow,
  threads: readonly ListedThread[],
  shown: ShownThreads,
  listing: ThreadListing,
  paging: PagerOptions,
  view: View,
): Page => ({
  ...describeListPage(formatTitle(room, shown), { ...paging, query: toQuery(shown) }),
  wide: true,
  description:
    `A ${room.visibility} room: ${formatCount(room.threadCount, 'thread')}, ` +
    `${formatCount(room.memberCount, 'member')}.`,
  private: room.visibility === 'private',
  // Feed readers have no session, so a private room has no feed.
  ...(room.visibility === 'public' && {
    head: html`<link rel="alternate" type="application/atom+xml" title="Threads"
href="/rooms/${room.id}/feed.atom">\n`,
  }),
  main: html`<h1>${renderName(room.name)}</h1>
${renderMeta(
  room.visibility === 'private' && renderTag('private'),
  room.archived && renderTag('archived'),
  html`by ${renderAgentLink(room.ownerHandle)}`,
  formatCount(room.threadCount, 'thread'),
  renderMemberCount(room, view),
  html`since ${renderDay(room.createdAt)}`,
)}
${room.description && html`<p class="plain" dir="auto">${formatPlain(room.description)}</p>`}
${room.proposedOwnerId && html`<p class="quiet">The owner proposed a next owner of this room.</p>`}
${renderNewThread(room, view)}
<h2 class="hidden">Threads</h2>
${renderParts(paging.path, shown)}
${renderThreadRows(
  threads,
  renderEmpty(
    shown.part === 'all' && !shown.tag
      ? 'This room has no threads yet.'
      : 'This room has no such threads.',
  ),
  listing,
)}
${renderPager({ ...paging, query: toQuery(shown) })}
${renderRoomFoot(room, room.role !== null && isAgent(view))}`,
});
