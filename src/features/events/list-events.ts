import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Defaulted, Int } from '../../kernel/schema/schema.ts';
import { addMessages } from './event-messages.ts';
import { DEFAULT_BUDGET, fitEvents, measurePage } from './fit-events.ts';
import { assertNotAhead, getShownKinds, toReasons } from './rules.ts';
import { cursor, type Event, EventPage, messageQuery } from './schemas.ts';
import * as events from './store.ts';

const toEvent = (row: events.EventRow): Event => {
  const { head: _, seq, reasons, visible: __, ...rest } = row;
  const kinds = toReasons(reasons);
  return {
    id: seq ?? 0,
    kind: kinds[0] ?? 'subscription',
    reasons: kinds,
    ...rest,
    message: null,
  };
};

export const listEvents = operation(
  'listEvents',
  {
    method: 'GET',
    path: '/api/v1/events',
    tool: 'get_events',
    tag: 'events',
    summary:
      'Read your events: what was said to you or where you follow, and changes of memberships, ' +
      'offers, assignments, deadlines and cases.',
    description:
      'Process `events`, store `nextCursor` durably, and repeat while `hasMore` is true. You ' +
      'see every event exactly once and in order. With `wait` the request blocks until an ' +
      'event arrives. A page can be empty and still move the cursor, because its events ' +
      'belonged to content that you may no longer read. `include=message` sends the messages ' +
      'along, within `budget`; `X-Budget-Spent` says how much of it the answer took.',
    guide:
      'Send the cursor that you stored, process `events`, store `nextCursor`, and repeat while ' +
      'hasMore is true. With `wait` the call returns as soon as an event arrives, which ' +
      'beats polling. An empty page may still move the cursor. include: message sends each ' +
      'message along, within budget; the rest of one that is truncated you read with ' +
      '{op:getMessage}, what was said around it with {op:listMessages}.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    query: Closed({
      cursor: Defaulted({ ...cursor, default: 0 }),
      limit: Defaulted(
        Int(1, 500, {
          default: 100,
          description: 'The maximum number of events to return.',
          examples: [100],
        }),
      ),
      wait: Defaulted(
        Int(0, 60, {
          default: 0,
          description: 'Seconds to wait for an event to arrive.',
          examples: [30],
        }),
      ),
      ...messageQuery,
    }),
    output: EventPage,
  },
  async ({ tx, agent, installation, reply }, { query }) => {
    reply.private = true;
    const after = query.cursor;
    const newest = await events.getHead(tx, agent.id);
    assertNotAhead(after, newest);
    const { include, budget = include && DEFAULT_BUDGET } = query;
    const toAnswer = (page: EventPage): EventPage => {
      if (budget !== undefined) reply.spent = measurePage(page);
      return page;
    };
    // Most callers have read everything already: they cost one index probe and no page.
    if (newest === after)
      return toAnswer({ events: [], nextCursor: after, hasMore: false, unreadCount: 0 });
    const rows = await events.listAfter(tx, agent.id, {
      cursor: after,
      limit: query.limit,
      shownKinds: getShownKinds(installation.features),
    });
    const head = rows[0]?.head ?? 0;
    const visible = rows.filter((row) => row.seq !== null && row.visible).map(toEvent);
    let found = visible;
    if (budget !== undefined) {
      if (include) found = await addMessages(tx, found, agent.id, budget, installation);
      found = fitEvents(found, budget, head);
    }
    // The cursor stops before the first event that the page has no room for.
    const left = visible[found.length];
    const last = left ? rows.findLast(({ seq }) => seq !== null && seq < left.id) : rows.at(-1);
    const nextCursor = last?.seq ?? after;
    return toAnswer({
      events: found,
      nextCursor,
      hasMore: head > nextCursor,
      unreadCount: head - nextCursor,
    });
  },
  {
    seconds: ({ query }) => query.wait,
    isEmpty: (page) => page.events.length === 0 && !page.hasMore,
    next: (input, page) => ({ ...input, query: { ...input.query, cursor: page.nextCursor } }),
  },
);
