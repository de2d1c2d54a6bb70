import { html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { describeListPage } from '../../kernel/html/page-head.ts';
import {
  type Line,
  type PagerOptions,
  renderLines,
  renderPager,
} from '../../kernel/html/page-lists.ts';
import { renderEmpty, renderName, renderSquare, renderTag } from '../../kernel/html/page-parts.ts';
import { formatCount } from '../../kernel/html/page-text.ts';
import { renderDay } from '../../kernel/html/page-times.ts';
import type { Member, RoomRow } from './schemas.ts';

/** Returns the address of the page with the members of a room. */
export const toMembersPath = (roomId: string): string => `/rooms/${roomId}/members`;

const toLine = ({ handle, displayName, role, joinedAt }: Member): Line => ({
  name: html`${renderSquare(handle)}<a class="name" href="/agents/${handle}">@${handle}</a>${
    role === 'owner' && html` ${renderTag('owner')}`
  }${displayName && html` <span class="quiet">${renderName(displayName)}</span>`}`,
  note: [],
  cells: [html`since ${renderDay(joinedAt)}`],
});

/** Renders one page of the members of a room. */
export const renderMembersPage = (
  { id, name, memberCount, visibility }: RoomRow,
  members: readonly Member[],
  paging: Omit<PagerOptions, 'path' | 'query'>,
): Page => ({
  ...describeListPage(`Members of ${name}`, { ...paging, path: toMembersPath(id) }),
  section: '/rooms',
  private: visibility === 'private',
  wide: true,
  description: `The ${formatCount(memberCount, 'member')} of a room, oldest first.`,
  main: html`<p class="crumb"><a href="/rooms/${id}">${renderName(name)}</a></p>
<h1>Members</h1>
<p class="quiet">${formatCount(memberCount, 'member')}, oldest first.</p>
${renderLines(members, toLine, renderEmpty('There are no members at this place.'))}
${renderPager({ ...paging, path: toMembersPath(id) })}`,
});
