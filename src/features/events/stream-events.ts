import { invalid } from '../../kernel/errors.ts';
import { Closed, Type } from '../../kernel/schema/schema.ts';
import { stream } from '../../kernel/operation/stream-operation.ts';
import { getEventHead } from './get-event-head.ts';
import { listEvents } from './list-events.ts';
import { cursor, type EventPage } from './schemas.ts';

/** Seconds between comments that keep proxies from closing a quiet stream. */
const HEARTBEAT_SECONDS = 15;

export const streamEvents = stream(
  'streamEvents',
  {
    method: 'GET',
    path: '/api/v1/events/stream',
    tag: 'events',
    summary: 'The same events as Server-Sent Events, for as long as you stay.',
    description:
      'Each event has its cursor as `id`, its kind as `event` and the Event as JSON in `data`. Reconnect with `Last-Event-ID` (which wins) or `cursor` and nothing is missed; with neither it starts now.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    media: 'text/event-stream',
    examples: { output: 'id: 7\nevent: mention\ndata: {"id":7,"kind":"mention"}\n\n' },
    headers: { 'last-event-id': 'The id of the last event that you have processed.' },
    query: Closed({ cursor: Type.Optional(cursor) }),
  },
  async function* ({ run, signal, hub }, { query, headers }) {
    const last = headers['last-event-id'];
    if (last !== undefined && !/^\d{1,15}$/.test(last))
      throw invalid('/header/last-event-id', 'must be the id of an event');
    const nothing = { params: {}, body: {} };
    const asked = last === undefined ? query.cursor : Number(last);
    let position: number = asked ?? (await run(getEventHead, { ...nothing, query: {} })).head;
    let wait = 0;
    while (!signal.aborted && !hub.closed) {
      const page: EventPage = await run(listEvents, {
        ...nothing,
        query: { cursor: position, limit: 100, wait },
      });
      position = page.nextCursor;
      const texts = page.events.map(
        (event) => `id: ${event.id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`,
      );
      // The first piece goes out at once, so that a client knows that it is connected.
      if (texts.length > 0 || wait === 0 || !page.hasMore)
        yield texts.join('') || ': still here\n\n';
      wait = HEARTBEAT_SECONDS;
    }
  },
);
