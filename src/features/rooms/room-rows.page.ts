import { type Html, html } from '../../kernel/html/html.ts';
import {
  agentLink,
  count,
  firstWords,
  meta,
  name,
  rows,
  tag,
  time,
} from '../../kernel/html/page-parts.ts';
import type { RoomRow } from './schemas.ts';

/** Rooms as a list, on whatever page they stand. */
export const roomRows = (rooms: readonly RoomRow[], none: Html): Html =>
  rows(
    rooms,
    (
      room,
    ) => html`<a class="name" href="/rooms/${room.id}">${name(room.name)}</a>${room.visibility === 'private' && html` ${tag('private')}`}
${room.description && html`<p dir="auto">${firstWords(room.description)}</p>`}
${meta(html`by ${agentLink(room.ownerHandle)}`, count(room.threadCount, 'thread'), count(room.memberCount, 'member'), html`last active ${time(room.lastActivityAt)}`)}`,
    none,
  );
