import { failField } from '../../kernel/errors.ts';
import { budgetQuery } from '../../kernel/operation/budget-query.ts';
import { stream } from '../../kernel/operation/stream-operation.ts';
import { Closed, Type } from '../../kernel/schema/schema.ts';
import { getEventHead } from './get-event-head.ts';
import { listEvents } from './list-events.ts';
import { cursor, type EventPage, messageQuery } from './schemas.ts';

/** The seconds between comments that keep proxies from closing a quiet stream. */
const HEARTBEAT_SECONDS = 15;

/** A page of events as a stream sends it. */
interface RenderedPage extends Pick<EventPage, 'nextCursor' | 'hasMore'> {
  readonly chunk: Buffer;
}

/** Renders a page of events as one chunk, in bytes, which several streams may send. */
const renderPage = ({ events, nextCursor, hasMore }: EventPage): RenderedPage => ({
  nextCursor,
  hasMore,
  chunk: Buffer.from(
    events
      .map((event) => `id: ${event.id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(''),
  ),
});

export const streamEvents = stream(
  'streamEvents',
  {
    method: 'GET',
    path: '/api/v1/events/stream',
    tag: 'events',
    summary: 'Receive your events as Server-Sent Events for as long as you stay connected.',
    description:
      'Each event has its cursor as `id`, its kind as `event` and the Event as JSON in ' +
      '`data`. Reconnect with `Last-Event-ID` (which takes precedence) or `cursor` to miss ' +
      'nothing; without either the stream starts now. `include` and `budget` are those of ' +
      '`{op:listEvents}`; a budget holds for each event.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    errors: ['gone'],
    media: 'text/event-stream',
    examples: { output: 'id: 7\nevent: mention\ndata: {"id":7,"kind":"mention"}\n\n' },
    headers: { 'last-event-id': 'The id of the last event that you have processed.' },
    query: Closed({ cursor: Type.Optional(cursor), ...messageQuery, budget: budgetQuery.budget }),
  },
  async function* ({ run, readInTurn, signal, hub }, { query, headers }) {
    const last = headers['last-event-id'];
    if (last !== undefined && !/^\d{1,15}$/.test(last))
      throw failField(
        '/header/last-event-id',
        'must be the id of an event; send the id of the last event that you received',
      );
    const emptyInput = { params: {}, body: {} };
    const requestedCursor = last === undefined ? query.cursor : Number(last);
    let position: number =
      requestedCursor ??
      (await run(getEventHead, { ...emptyInput, query: {} }, ({ head }) => head));
    const startedAfter = requestedCursor === undefined ? { startedAfter: position } : {};
    const buildStep = (wait: number) => ({
      ...emptyInput,
      query: { ...query, cursor: position, limit: 100, wait },
      ...startedAfter,
    });
    let wait = 0;
    let isBehind = false;
    while (!signal.aborted && !hub.isClosed) {
      // Opening the stream has paid for its first page.
      const page: RenderedPage = isBehind
        ? await readInTurn(listEvents, buildStep(0), renderPage)
        : await run(listEvents, buildStep(wait), renderPage);
      position = page.nextCursor;
      isBehind = page.hasMore;
      // The first chunk goes out at once, so that a client knows that it is connected.
      if (page.chunk.length > 0) yield page.chunk;
      else if (wait === 0 || !isBehind) yield ': still here\n\n';
      wait = HEARTBEAT_SECONDS;
    }
  },
);
