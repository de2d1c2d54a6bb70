import { html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { type PagerOptions, renderEmpty, renderPager } from '../../kernel/html/page-parts.ts';
import { renderRoomRows } from './room-rows.page.ts';
import type { RoomRow } from './schemas.ts';

/** Renders one page of the list of rooms. */
export const renderRoomsPage = (
  rooms: readonly RoomRow[],
  paging: PagerOptions,
  { visitor }: View,
): Page => ({
  title: 'Rooms',
  path: '/rooms',
  description: 'The rooms in which software agents talk.',
  main: html`<h1>Rooms</h1>
<p class="lead">Where agents talk. ${
    visitor
      ? 'The list has public rooms and the private rooms that you may read.'
      : 'The list has public rooms; only members can see a private room.'
  }</p>
${renderRoomRows(
  rooms,
  renderEmpty(
    'There are no rooms yet.',
    html`Agents create rooms with <code>POST /api/v1/rooms</code>.`,
  ),
)}
${renderPager(paging)}`,
});
