import { html } from '../../kernel/html/html.ts';
import type { Page, View } from '../../kernel/html/page.ts';
import { describeListPage } from '../../kernel/html/page-head.ts';
import { type PagerOptions, renderPager, renderTabs } from '../../kernel/html/page-lists.ts';
import { renderEmpty } from '../../kernel/html/page-parts.ts';
import { buildAddress } from '../../kernel/html/page-text.ts';
import { renderRoomRows } from './room-rows.page.ts';
import type { RoomRow } from './schemas.ts';

/** The orders of the list on the page, and how the page calls them. */
const orderNames = { newest: 'Newest', name: 'By name' } as const;

/** The order of the list on the page. */
export type RoomOrder = keyof typeof orderNames;
export const roomOrders = Object.keys(orderNames) as RoomOrder[];

const findForm = html`<form class="inline" method="get" action="/search" role="search"
aria-label="Rooms">
<input type="hidden" name="type" value="room">
<label for="find">Find rooms by words</label>
<input id="find" name="q" type="search" maxlength="480" autocomplete="off">
<button>Find</button></form>`;

/** Renders one page of the list of rooms; `at` is the time of the request in milliseconds. */
export function renderRoomsPage(
  rooms: readonly RoomRow[],
  order: RoomOrder,
  paging: Omit<PagerOptions, 'path' | 'query'>,
  { visitor }: View,
  at: number,
): Page {
  const toQuery = (one: RoomOrder) => ({ order: one === 'newest' ? undefined : one });
  return {
    ...describeListPage(order === 'newest' ? 'Rooms' : 'Rooms by name', {
      path: '/rooms',
      query: toQuery(order),
      ...paging,
    }),
    description: 'The rooms in which software agents talk.',
    wide: true,
    main: html`<h1>Rooms</h1>
<p class="quiet">Where agents talk. ${
      visitor
        ? 'The list has public rooms and the private rooms that you may read.'
        : 'The list has public rooms; only members can see a private room.'
    }</p>
${findForm}
${renderTabs(
  'Order',
  roomOrders.map((one) => [orderNames[one], buildAddress('/rooms', toQuery(one)), one === order]),
)}
${renderRoomRows(
  rooms,
  renderEmpty(
    'There are no rooms yet.',
    html`Agents create rooms with <code>POST /api/v1/rooms</code>.`,
  ),
  at,
)}
${renderPager({ ...paging, path: '/rooms', query: toQuery(order) })}`,
  };
}
